/** What `run panel` prints once it is done. */
import { renderTable } from '../../report/index.ts';
import { PANEL_COLUMNS, type PanelResult, panelCells, panelNotes, panelSections } from '../../run/index.ts';
import { clusterLines } from '../cluster-lines.ts';
import { clustersOf, modelLines } from './sheet.ts';

/** For programs: the folders, and what each metrics.json holds. */
export function panelJson({ folder, outcomes }: PanelResult): string {
  const parts = outcomes.map(({ name, suite, status, run, error }) => ({
    name,
    suite: suite.name,
    status,
    runDir: run?.folder.path ?? null,
    metrics: run?.metrics ?? null,
    counts: run?.counts ?? null,
    remarks: run?.remarks ?? [],
    error: error?.toJSON() ?? null,
  }));
  return JSON.stringify({ panelDir: folder.path, parts }, null, 2);
}

/** For people: the headline metrics. */
export function panelSheet({ folder, outcomes, rows }: PanelResult): string {
  const sections = panelSections(rows).flatMap(({ title, rows: own }) => [
    title,
    renderTable(PANEL_COLUMNS, own.map(panelCells)),
    '',
  ]);
  const model = outcomes.find(({ run }) => run)?.run?.manifest.model;
  return [
    ...(model ? [`model: ${model.path}`, ...modelLines(model), ''] : []),
    ...sections,
    ...clusterNotes(outcomes),
    ...panelNotes(outcomes).map((note) => `note: ${note}`),
    `written to ${folder.path} (summary.md, summary.csv, a folder for each part)`,
  ].join('\n');
}

/** By what rows were clustered, each sentence once with the parts that it is of. */
function clusterNotes(outcomes: PanelResult['outcomes']): string[] {
  const parts = new Map<string, string[]>();
  for (const { name, run } of outcomes) {
    for (const line of run ? clusterLines(clustersOf(run.summaries[0]!)) : [])
      parts.set(line, [...(parts.get(line) ?? []), name]);
  }
  return [...parts].map(([line, names]) =>
    names.length === outcomes.length ? line : `${names.join(', ')}: ${line}`,
  );
}
