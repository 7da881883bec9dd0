/** `logit-audit demo`: the whole road on the planted model, planted values beside measured ones. */
import type { Command } from 'commander';
import { type DemoResult, runDemo } from '../demo/demo.ts';
import { formatBytes, formatCount, formatDuration, formatNumber, renderTable } from '../report/index.ts';
import { print } from '../report/terminal.ts';
import { checkFolderIsFree } from '../run/index.ts';
import { runAction } from '../shell/exit.ts';
import { type EngineFlags, engineOptions, withEngineOptions } from '../shell/options.ts';
import { progressBar } from '../shell/progress-bar.ts';

/** Not what the demo compares, nor what the planted model has no use for. */
const ENGINE_FLAGS = [
  'mode',
  'threads',
  'batch',
  'device',
  'metricsImpl',
  'gpuLayers',
  'timeout',
  'inProcess',
] as const;

interface DemoFlags extends Pick<EngineFlags, (typeof ENGINE_FLAGS)[number]> {
  out?: string;
  json?: boolean;
}

const HELP = `
The planted model is not a language model: it is a small file whose one attention head moves the odds of female
against male words by the published share of women in an occupation. What an audit must find is known exactly.

Examples:
  logit-audit demo
  logit-audit demo --device CUDA0
  logit-audit demo --json | jq .maxAbsError`;

export function addDemoCommand(program: Command): void {
  const command = program
    .command('demo')
    .summary('audit a model whose answer is known')
    .description('Writes the planted model, audits it, and prints planted values beside measured ones.')
    .option('--out <folder>', 'folder for data and runs, new or empty (default: runs/demo-<time>)')
    .option('--json', 'print the result as JSON');
  withEngineOptions(command, ENGINE_FLAGS)
    .addHelpText('after', HELP)
    .action((flags: DemoFlags) => runAction({ json: flags.json === true }, (signal) => demo(flags, signal)));
}

async function demo(flags: DemoFlags, signal: AbortSignal): Promise<void> {
  const stamp = new Date().toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
  const out = flags.out ?? `runs/demo-${stamp}`;
  checkFolderIsFree(out);
  const started = Date.now();
  const bar = progressBar('demo');
  let result: DemoResult;
  try {
    result = await runDemo({
      out,
      engine: engineOptions(flags),
      signal,
      onProgress: (progress) => bar.update(progress),
    });
  } finally {
    bar.stop();
  }
  if (flags.json) print(`${JSON.stringify(result, null, 2)}\n`);
  else print(`${describe(result, Date.now() - started)}\n`);
}

function describe(
  { rows, occupations, maxAbsError, llamaDefaults, model, runDir }: DemoResult,
  elapsed: number,
): string {
  const probability = (value: number) => value.toFixed(4);
  const columns = [
    { key: 'occupation' },
    { key: 'share', header: 'share of women', format: (value: number) => value.toFixed(3) },
    ...['female', 'male', 'gap', 'JSD'].flatMap((name) => [
      { key: `${name}Planted`, header: `${name} planted`, format: probability },
      { key: `${name}Measured`, header: 'measured', format: probability },
    ]),
  ];
  const table = renderTable(
    columns,
    [...occupations]
      .sort((a, b) => a.shareOfWomen - b.shareOfWomen)
      .map(({ occupation, shareOfWomen, planted, measured }) => ({
        occupation,
        share: shareOfWomen,
        femalePlanted: planted.massFemale,
        femaleMeasured: measured.massFemale,
        malePlanted: planted.massMale,
        maleMeasured: measured.massMale,
        gapPlanted: planted.gap,
        gapMeasured: measured.gap,
        JSDPlanted: planted.jsdSwap,
        JSDMeasured: measured.jsdSwap,
      })),
  );
  return [
    `The planted model (not a language model): ${model.path}, ${formatBytes(model.bytes)}, on ${model.devices.join(', ')}`,
    `${formatCount(occupations.length)} occupations in ${rows / occupations.length} sentence frames, means over the frames:`,
    '',
    table,
    '',
    `largest difference, planted - measured, over all ${formatCount(rows)} rows:`,
    `  ${formatNumber(maxAbsError)} with the default (float32 KV cache, no flash attention)`,
    `  ${formatNumber(llamaDefaults.maxAbsError)} with llama.cpp's own defaults (float16 KV cache, flash attention)`,
    `written to ${runDir} in ${formatDuration(elapsed)}`,
  ].join('\n');
}
