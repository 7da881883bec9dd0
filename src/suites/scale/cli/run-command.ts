/** `logit-audit run scale`: a questionnaire put to a model, as every participant at every tier, or item by item to itself. */
import { type Command, Option } from 'commander';
import { AuditError } from '../../../errors.ts';
import {
  type Backend,
  type EngineDescription,
  isMock,
  openMock,
  POLICY_ENGINE,
  SCALE_MOCK,
} from '../../../model/index.ts';
import { print, printError } from '../../../report/terminal.ts';
import { type RunModel, runId } from '../../../run/index.ts';
import {
  type EndpointFlags,
  MODEL_HELP,
  openByFlags,
  withEndpointOptions,
} from '../../../shell/endpoint-options.ts';
import { EXIT, runAction } from '../../../shell/exit.ts';
import {
  type EngineFlags,
  fraction,
  names,
  numberFrom,
  onlyGiven,
  refuseEngineFlags,
  share,
  wholeNumber,
  withEngineOptions,
} from '../../../shell/options.ts';
import { progressBar } from '../../../shell/progress-bar.ts';
import { folderOf, GROUP, limitOption, resumeOption, sampleFlag } from '../../../shell/run/shared-options.ts';
import { loadScale } from '../data/index.ts';
import { planAdminister, runAdministerPlan } from '../run/administer/run.ts';
import type { ScaleCasesOptions } from '../run/plan.ts';
import { type DecodingOptions, planScale, runScalePlan } from '../run/run.ts';
import { administerJson, administerSheet } from './administer-sheet.ts';
import { scaleJson, scaleSheet } from './run-sheet.ts';

interface ScaleFlags extends EngineFlags, EndpointFlags {
  scale: string;
  model: string;
  participants: string;
  administer?: boolean;
  orders?: number;
  inContext?: boolean;
  answer?: 'letters' | 'text';
  instructions?: string;
  level?: number;
  out?: string;
  resume?: boolean;
  idColumn?: string;
  tiers?: readonly string[];
  subscales?: readonly string[];
  guided?: boolean;
  chat: 'auto' | 'on' | 'off';
  maxTokens?: number;
  temperature?: number;
  topP?: number;
  seed: number;
  limit?: number;
  sample?: number;
  json?: boolean;
}

const HELP = `
Examples:
  logit-audit run scale --scale prca-24 --model model.gguf --participants participants.csv --out runs/prca --guided
  logit-audit run scale --scale prca-24 --model model.gguf --participants participants.csv --out runs/prca --guided --resume
  logit-audit run scale --scale prca-24 --model ${SCALE_MOCK} --participants participants.csv --tiers demos,employment --limit 5
  logit-audit run scale --scale prca-24 --model openai:gpt-4o-mini --participants participants.csv --out runs/prca
  logit-audit run scale --scale mini-ipip --administer --model model.gguf --orders 20 --out runs/ipip
  logit-audit run scale --scale mini-ipip --administer --model openai:gpt-4o-mini --in-context

${SCALE_MOCK} answers with numbers out of a hash instead of a model, to see a run and its files.

OUT/results.csv (caseid, generated_text) is what "logit-audit ingest scale" reads; OUT/personas.csv has the text that
each case gave the model. docs/scales.md says how participants become chats.

With --administer there are no participants: the model answers each item as itself, in several orders of the answers. OUT/rows.csv has every
answer, scores.csv the scores of each order by the scale's key, items.csv and reliability.csv item statistics and Cronbach's alpha,
order_effects.csv what the order changes, and metrics.json all of these.

Exit codes: 0 done (failed cases are counted), 1 no case was answered, 2 bad input, 3 disk full, 130 interrupted (continue with --resume).`;

export function addRunScale(run: Command): void {
  const command = run
    .command('scale')
    .summary('a questionnaire, answered by a model as each participant, or as itself')
    .description('Asks a model to rate itself as each participant, by how much it learns of them (tiers).')
    .requiredOption('--scale <scale>', 'a scale, as "logit-audit scale list" has them, or its file')
    .requiredOption('--model <file>', `${MODEL_HELP}; or ${SCALE_MOCK}`)
    .option('--participants <file>', 'table of participants: CSV with a row for each')
    .option('--out <folder>', 'folder for the run, new or empty (default: runs/scale-<model>-<time>)')
    .addOption(resumeOption())
    .option('--id-column <column>', 'column with the ids of participants (default: participant_id)')
    .option('--tiers <tier,tier>', 'tiers to ask (default: all of the scale)', names)
    .option('--subscales <name,name>', 'subscales to ask for (default: those the scale says)', names)
    .addOption(limitOption('participants'))
    .addOption(
      new Option(
        '--sample <participants>',
        'a random sample of so many participants by --seed; they have no slices, so all are as likely',
      ).argParser(wholeNumber(1)),
    )
    .option('--json', 'print what was done as JSON')
    .optionsGroup('Item by item (--administer):')
    .option('--administer', 'ask the model itself each item of the scale, instead of participants')
    .option(
      '--orders <n>',
      "orders of the answers that each item is asked in: the scale's, its reverse, then shuffled ones by --seed (default: 10)",
      wholeNumber(1),
    )
    .option(
      '--in-context',
      'one chat an order, its items shuffled, each behind the answers before it (default: each item by itself)',
    )
    .addOption(
      new Option(
        '--answer <which>',
        'which answer counts: the likeliest letter, or what the text says (default: letters where the model gives their probabilities)',
      ).choices(['letters', 'text']),
    )
    .option('--instructions <text>', 'what the model is told before an item, for the default sentence')
    .option('--level <p>', 'level of the intervals (default: 0.95)', fraction)
    .optionsGroup('Answers:')
    .option('--guided', 'only a JSON object of the right keys and ranges can be written')
    .addOption(
      new Option('--chat <chat>', "ask in the model's own chat template: where it has one, always, or never")
        .choices(['auto', 'on', 'off'])
        .default('auto'),
    )
    .option('--max-tokens <n>', 'most tokens of an answer (default: 256; of an item 32)', wholeNumber(1))
    .option('--temperature <t>', 'at 0 each token is the likeliest one (default: 0)', numberFrom(0))
    .option('--top-p <p>', 'draws come from the likeliest tokens of this probability (default: 1)', share)
    .option('--seed <n>', 'seed of answers that are sampled, of --sample and of --orders', wholeNumber(0), 0);
  withEngineOptions(command.optionsGroup(GROUP.engine));
  withEndpointOptions(command.optionsGroup(GROUP.endpoint))
    .addHelpText('after', HELP)
    .action((flags: ScaleFlags) => {
      if (!flags.administer && flags.participants === undefined) {
        command.error("error: required option '--participants <file>' not specified", {
          code: 'commander.missingMandatoryOptionValue',
        });
      }
      return runAction({ json: flags.json === true }, (signal) => {
        if (isMock(flags.model)) refuseEngineFlags(command, `${flags.model} runs without an engine`);
        checkMode(flags);
        return flags.administer ? administered(flags, signal) : scale(flags, signal);
      });
    });
}

/** Flags that one of the two ways to ask has, and the other has not. */
const OF_PARTICIPANTS = ['participants', 'idColumn', 'tiers', 'guided', 'limit', 'sample'] as const;
const OF_ITEMS = ['orders', 'inContext', 'answer', 'instructions', 'level'] as const;

/** Throws `bad_argument` for a flag of the other way. */
function checkMode(flags: ScaleFlags): void {
  const [foreign, why] = flags.administer
    ? [OF_PARTICIPANTS, 'with --administer the model answers as itself, and there are no participants']
    : [OF_ITEMS, 'only with --administer, which asks item by item'];
  const given = foreign.filter((flag) => flags[flag] !== undefined);
  if (given.length === 0) return;
  const shown = given.map((flag) => `--${flag.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`);
  throw new AuditError('bad_argument', `${shown.join(', ')}: ${why}; leave it out`, { keys: shown });
}

async function casesOptions(flags: ScaleFlags): Promise<ScaleCasesOptions> {
  const { participants, idColumn, tiers, subscales, limit } = flags;
  const given = { idColumn, tiers, subscales, limit };
  const set = onlyGiven(given);
  return {
    scale: await loadScale(flags.scale),
    participants,
    guided: flags.guided === true,
    ...sampleFlag(flags),
    ...(set as Partial<ScaleCasesOptions>),
  };
}

function decodingOptions({ chat, maxTokens, temperature, topP }: ScaleFlags): DecodingOptions {
  const given = { chat, maxTokens, temperature, topP };
  return onlyGiven(given);
}

async function open(
  flags: ScaleFlags,
  out: string,
  signal: AbortSignal,
): Promise<{ backend: Backend; engine: EngineDescription }> {
  if (isMock(flags.model)) return { backend: openMock(flags.model), engine: POLICY_ENGINE };
  return openByFlags(flags.model, flags, { out, signal });
}

async function administered(flags: ScaleFlags, signal: AbortSignal): Promise<void> {
  const { resume = false, subscales, orders, inContext, answer, instructions, level, seed } = flags;
  const out = folderOf(flags, () => runId('scale', flags.model.replaceAll(':', '-'), new Date()));
  const given = onlyGiven({ subscales, orders, inContext, answer, instructions, level });
  const options = { scale: await loadScale(flags.scale), seed, ...decodingOptions(flags), ...given };
  // Faults that need no model are reported before one is loaded.
  const plan = planAdminister({ ...options, out, resume });
  await onModel(flags, out, signal, async (model) => {
    const result = await runAdministerPlan(plan, model);
    return {
      text: flags.json ? administerJson(result) : administerSheet(result),
      failure: result.statistics.counts.ok === 0 ? `no item was answered: ${result.firstFailure}` : null,
    };
  });
}

async function scale(flags: ScaleFlags, signal: AbortSignal): Promise<void> {
  const { resume = false, seed } = flags;
  const out = folderOf(flags, () => runId('scale', flags.model.replaceAll(':', '-'), new Date()));
  const options = { ...(await casesOptions(flags)), ...decodingOptions(flags), sampleSeed: seed };
  // Faults that need no model are reported before one is loaded.
  const plan = await planScale({ ...options, out, resume, signal });
  await onModel(flags, out, signal, async (model) => {
    const result = await runScalePlan(plan, model);
    return {
      text: flags.json ? scaleJson(result) : scaleSheet(result),
      failure: result.counts.ok === 0 ? `no case was answered: ${result.firstFailure}` : null,
    };
  });
}

/** Opens the model, runs on it, and prints what came of it. */
async function onModel(
  flags: ScaleFlags,
  out: string,
  signal: AbortSignal,
  action: (model: RunModel) => Promise<{ readonly text: string; readonly failure: string | null }>,
): Promise<void> {
  const { backend, engine } = await open(flags, out, signal);
  const bar = progressBar('scale');
  try {
    const onProgress: RunModel['onProgress'] = (progress) => bar.update(progress);
    const { text, failure } = await action({ backend, engine, signal, onProgress });
    bar.stop();
    print(`${text}\n`);
    if (failure !== null) {
      printError(`logit-audit: ${failure}\n`);
      process.exitCode = EXIT.failed;
    }
  } finally {
    bar.stop();
    await backend.close();
  }
}
