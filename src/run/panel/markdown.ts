/** summary.md: the table of a panel as a document, with what must be known to read it. */
import { formatCount, formatPercent, markdownCode, markdownTable, markdownText } from '../../report/index.ts';
import type { Manifest } from '../manifest.ts';
import type { PanelOutcome } from './plan.ts';
import { PANEL_COLUMNS, type PanelRow, panelCells, panelNotes, panelSections } from './summary.ts';

function about(model: Manifest['model'], outcomes: readonly PanelOutcome[]): string[] {
  const first = outcomes.find(({ run }) => run)?.run?.manifest;
  const lines = [
    `Model ${markdownCode(model.path)} (${markdownText(model.description)})${model.sha256 === null ? '' : `, SHA-256 ${model.sha256}`}`,
    ...model.adapters.map(({ path, scale }) => `LoRA adapter ${markdownCode(path)}, scale ${scale}`),
  ];
  if (!first) return lines;
  const { versions, engine, devices, experiment } = first;
  return [
    ...lines,
    `logit-audit ${versions.logitAudit}, llama.cpp ${versions.llama}, mode ${engine.options.mode ?? 'fast'}, device ${devices.join(', ')}`,
    `Intervals at ${formatPercent(experiment.interval.level, null, 0)}; summary.csv has their methods, and every other metric`,
  ];
}

function dataLines(outcomes: readonly PanelOutcome[]): string[] {
  return outcomes.flatMap(({ name, run }) => {
    if (!run) return [];
    const { files } = run.manifest.data;
    return files.map(
      ({ path, rows, sha256 }) =>
        `${name}: ${markdownCode(path)}, ${formatCount(rows)} rows, SHA-256 ${sha256}`,
    );
  });
}

function list(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', `## ${title}`, '', ...lines.map((line) => `- ${line}`)];
}

/** summary.md, whole. */
export function panelMarkdown(
  model: Manifest['model'],
  outcomes: readonly PanelOutcome[],
  rows: readonly PanelRow[],
): string {
  return [
    '# Summary',
    ...panelSections(rows).flatMap(({ title, rows: own }) => [
      '',
      `## ${title}`,
      '',
      markdownTable(PANEL_COLUMNS, own.map(panelCells)),
    ]),
    ...list('Notes', panelNotes(outcomes).map(markdownText)),
    ...list('How it was made', about(model, outcomes)),
    ...list('Data', dataLines(outcomes)),
    '',
  ].join('\n');
}
