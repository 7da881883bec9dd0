/** What `run` prints once it is done. */
import { ABSENT, formatCount, formatInterval, formatPercent, renderTable } from '../report/index.ts';
import type { Manifest, RunResult, SliceSummary } from '../run/index.ts';
import { mappingLines } from './mapping-sheet.ts';

/** For programs: the folder, and what metrics.json holds. */
export function runJson({ folder, metrics, counts }: RunResult): string {
  return JSON.stringify({ runDir: folder.path, metrics, counts }, null, 2);
}

/** For people. */
export function runSheet({ folder, manifest, summaries, mapping }: RunResult): string {
  const [whole] = summaries;
  return [
    `${manifest.suite} on ${manifest.model.path}, device ${manifest.devices.join(', ')}`,
    ...manifest.model.adapters.map(({ path, scale }) => `with the LoRA adapter ${path}, scale ${scale}`),
    ...countLines(whole!),
    '',
    metricsTable(whole!),
    ...reasonLines(whole!),
    '',
    ...mappingLines(mapping, 'lexicon.json lists them'),
    ...modeLines(manifest),
    `written to ${folder.path}`,
  ].join('\n');
}

/** Names of types whose products round activations too, as models describe themselves. */
const QUANTISED = /\b(?:I?Q\d|TQ\d|MXFP\d|NVFP\d)/;

/** docs/design/engine.md has the figures. */
function modeLines({ engine, model }: Manifest): string[] {
  if (engine.options.mode !== 'fast' || !QUANTISED.test(model.description)) return [];
  return [
    'quantised weights in mode fast: single rows depend a little on what is decoded beside them (--mode exact: on nothing)',
  ];
}

function countLines({ counts: { rows, ok, failed, skipped } }: SliceSummary): string[] {
  const line = `${formatCount(rows)} rows: ${formatCount(ok)} measured, ${formatCount(skipped)} skipped, ${formatCount(failed)} failed`;
  return failed + skipped === 0 ? [line] : [`${line} (rows.csv says why)`];
}

function metricsTable({ metrics }: SliceSummary): string {
  const level = metrics.find(({ value }) => value.ci)?.value.ci?.level;
  const interval = level === undefined ? '' : ` [${formatPercent(level, null, 0)} interval]`;
  return renderTable(
    [
      { key: 'metric' },
      { key: 'value', header: `mean${interval}`, align: 'right' },
      { key: 'steps', format: formatCount },
      { key: 'coverage', align: 'right' },
    ],
    metrics.map(({ label, value: { mean, ci, gatedSteps, coverage } }) => ({
      metric: label,
      value:
        gatedSteps === 0 ? ABSENT : formatInterval(mean, ci ? { lower: ci.low, upper: ci.high } : null, 4),
      steps: gatedSteps,
      coverage: formatPercent(coverage),
    })),
  );
}

/** Why there is no interval, each reason once. */
function reasonLines({ metrics }: SliceSummary): string[] {
  const reasons = new Set(metrics.flatMap(({ value }) => (value.reason ? [value.reason] : [])));
  return [...reasons].map((reason) => `no interval: ${reason}`);
}
