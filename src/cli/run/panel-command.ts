/** `logit-audit run panel`: several suites on one model, in one table. */
import { type Command, Option } from 'commander';
import { AuditError } from '../../errors.ts';
import { type PanelFilePart, readPanelFile } from '../../experiment/index.ts';
import { loadLexicon, readTokenGroups } from '../../lexicon/index.ts';
import { describeEngine, openModel } from '../../model/index.ts';
import { renderTable } from '../../report/index.ts';
import {
  checkDataFiles,
  checkFolderIsFree,
  PANEL_COLUMNS,
  type PanelPart,
  type PanelResult,
  panelCells,
  panelSections,
  runId,
  runPanel,
} from '../../run/index.ts';
import { findSuite, suiteNames } from '../../suite/index.ts';
import { EXIT, runAction } from '../exit.ts';
import { type EngineFlags, engineOptions, wholeNumber, withEngineOptions } from '../options.ts';
import { type ProgressBar, progressBar } from '../progress-bar.ts';
import {
  compatOption,
  type IntervalFlags,
  intervalOf,
  readOccupations,
  withIntervalOptions,
} from './shared-options.ts';

interface PanelFlags extends EngineFlags, IntervalFlags {
  model: string;
  panel?: string;
  out?: string;
  lexicon: string;
  occupations?: string;
  limit?: number;
  strict?: boolean;
  compat?: 'reference';
  json?: boolean;
}

const EXAMPLES = `
Examples:
  logit-audit run panel --model model.gguf --ctf pairs.jsonl --crows crows_pairs_anonymized.csv --ppl text.txt
  logit-audit run panel --model model.gguf --panel panel.yaml --out runs/audit

A panel file lists parts, each a suite with its data and options (paths from the folder of the file):
  parts:
    - { suite: ctf, data: pairs.jsonl }
    - { suite: ctf, name: ctf-aligned, data: pairs.jsonl, options: { steps: aligned } }

Exit codes: 0 done, 1 a part failed or measured nothing, 2 bad input, 130 interrupted.`;

export function addPanelCommand(run: Command): void {
  const command = run
    .command('panel')
    .summary('several suites on one model, in one table')
    .description(
      'Runs several suites on one model, which is loaded once. Every suite gets a folder of its own; summary.csv and summary.md hold one table.',
    )
    .requiredOption('--model <file>', 'GGUF model; of a model in parts, the first')
    .option('--panel <file>', 'parts as a YAML file')
    .option('--out <folder>', 'folder for the panel, new or empty (default: runs/panel-<model>-<time>)')
    .option('--lexicon <name>', 'word groups: a shipped lexicon or a file', 'gender-en')
    .option(
      '--occupations <file>',
      'numbers by occupation to correlate with (default: the shares of the lexicon)',
    )
    .option('--limit <rows>', 'only the first rows of each', wholeNumber(1))
    .option('--strict', 'stop at the first bad row')
    .addOption(compatOption());
  for (const name of suiteNames()) {
    command.addOption(new Option(`--${name} <files...>`, `data of ${name}: ${findSuite(name).data}`));
  }
  withIntervalOptions(command).option('--json', 'print the table as JSON');
  withEngineOptions(command)
    .addHelpText('after', EXAMPLES)
    .action((flags: PanelFlags) =>
      runAction({ json: flags.json === true }, (signal) => panel(flags, signal)),
    );
}

/** The suites that were given data by a flag of their own, in the order of the table of suites. */
function partsOfFlags(flags: Readonly<Record<string, unknown>>): PanelFilePart[] {
  return suiteNames().flatMap((suite) => {
    const data = flags[suite] as string[] | undefined;
    return data ? [{ suite, data }] : [];
  });
}

async function readParts(flags: PanelFlags): Promise<PanelPart[]> {
  const listed = [
    ...(flags.panel === undefined ? [] : await readPanelFile(flags.panel)),
    ...partsOfFlags(flags as unknown as Record<string, unknown>),
  ];
  if (listed.length === 0) {
    const flag = suiteNames()[0];
    throw new AuditError(
      'bad_argument',
      `the panel has no part; give data by --${flag} FILE and the like, or --panel FILE`,
    );
  }
  return Promise.all(listed.map((part) => resolvePart(part, flags)));
}

/** What the file or the flags of a part name, read; what a part leaves open is as for all. */
async function resolvePart(
  { lexicon, groups, occupations, compat, limit, ...part }: PanelFilePart,
  flags: PanelFlags,
): Promise<PanelPart> {
  const suite = findSuite(part.suite);
  checkDataFiles(suite, part.data);
  const table = occupations ?? flags.occupations;
  const rows = limit ?? flags.limit;
  // A mode for all concerns the suites that have it.
  const mode = compat ?? (suite.reference ? flags.compat : undefined);
  return {
    ...part,
    ...(suite.lexicon === 'none' ? {} : { lexicon: await loadLexicon(lexicon ?? flags.lexicon) }),
    ...(groups === undefined ? {} : { groups: await readTokenGroups(groups) }),
    ...(table !== undefined && suite.usesOccupations ? { occupations: await readOccupations(table) } : {}),
    ...(rows === undefined ? {} : { limit: rows }),
    ...(mode ? { compat: mode } : {}),
  };
}

async function panel(flags: PanelFlags, signal: AbortSignal): Promise<void> {
  const parts = await readParts(flags);
  const out = flags.out ?? `runs/${runId('panel', flags.model, new Date())}`;
  checkFolderIsFree(out);
  const engine = engineOptions(flags);
  const backend = await openModel(flags.model, engine);
  let current: { name: string; bar: ProgressBar } | null = null;
  try {
    const result = await runPanel({
      parts,
      out,
      backend,
      engine: describeEngine(engine, backend.system),
      strict: flags.strict === true,
      interval: intervalOf(flags),
      signal,
      onProgress(name, progress) {
        if (current?.name !== name) {
          current?.bar.stop();
          current = { name, bar: progressBar(name) };
        }
        current.bar.update(progress);
      },
    });
    (current as { bar: ProgressBar } | null)?.bar.stop();
    process.stdout.write(`${flags.json ? panelJson(result) : panelSheet(result)}\n`);
    if (result.outcomes.some(({ run }) => run === null || run.summaries[0]!.counts.ok === 0)) {
      process.stderr.write(
        'logit-audit: a part of the panel failed or measured nothing; the table says which\n',
      );
      process.exitCode = EXIT.failed;
    }
  } finally {
    (current as { bar: ProgressBar } | null)?.bar.stop();
    await backend.close();
  }
}

function panelJson({ folder, outcomes }: PanelResult): string {
  const parts = outcomes.map(({ name, suite, run, error }) => ({
    name,
    suite,
    runDir: run?.folder.path ?? null,
    metrics: run?.metrics ?? null,
    counts: run?.counts ?? null,
    remarks: run?.remarks ?? [],
    error: error?.toJSON() ?? null,
  }));
  return JSON.stringify({ panelDir: folder.path, parts }, null, 2);
}

function panelSheet({ folder, outcomes, rows }: PanelResult): string {
  const sections = panelSections(rows).flatMap(({ title, rows: own }) => [
    title,
    renderTable(PANEL_COLUMNS, own.map(panelCells)),
    '',
  ]);
  const remarks = outcomes.flatMap(({ name, run }) =>
    (run?.remarks ?? []).map((remark) => `${name}: ${remark}`),
  );
  return [
    ...sections,
    ...remarks,
    `written to ${folder.path} (summary.md, summary.csv, a folder for each suite)`,
  ].join('\n');
}
