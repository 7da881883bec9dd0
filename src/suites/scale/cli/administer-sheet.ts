/** What `run scale --administer` prints once it is done. */
import type { Estimate } from '../../../numbers/estimate.ts';
import {
  ABSENT,
  formatCount,
  formatInterval,
  formatNumber,
  formatP,
  formatPercent,
  renderTable,
} from '../../../report/index.ts';
import { usageLines } from '../../../shell/run/sheet.ts';
import type { AdministerResult } from '../run/administer/run.ts';

/** More items than this are left to items.csv. */
const SHOWN_ITEMS = 30;

/** For programs: what metrics.json holds, and where. */
export function administerJson({
  folder,
  manifest,
  scale,
  asking,
  level,
  statistics,
  firstFailure,
  notes,
}: AdministerResult): string {
  const { id, usage } = manifest;
  const paid = usage === null ? {} : { usage };
  const told = {
    id,
    folder: folder.path,
    scale: scale.name,
    asking,
    level,
    ...statistics,
    firstFailure,
    notes,
  };
  return JSON.stringify({ ...told, ...paid }, null, 2);
}

function number({ value, ci }: Estimate): string {
  return formatInterval(value, ci);
}

function percent({ value, ci }: Estimate): string {
  return formatPercent(value, ci);
}

/** What is known to some two digits. */
function twoDecimals(value: number | null): string {
  if (value === null) return ABSENT;
  const text = value.toFixed(2);
  return Number(text) === 0 ? '0.00' : text;
}

/** For people. */
export function administerSheet(result: AdministerResult): string {
  const { folder, manifest, scale, asking, questionnaire, statistics, firstFailure, notes } = result;
  const { counts } = statistics;
  const how = asking.inContext ? 'in one chat an order, each behind the answers before it' : 'each by itself';
  return [
    `${scale.name} on ${manifest.model.path}, device ${manifest.devices.join(', ')}: the model answers as itself`,
    `${formatCount(questionnaire.items.length)} items, ${how}, in ${formatCount(questionnaire.orders)} orders of the answers: ${formatCount(counts.answered)} of ${formatCount(counts.cases)} answered, ${formatCount(counts.failed)} failed`,
    ...answerLines(result),
    ...(firstFailure === null ? [] : [`first failure: ${firstFailure}`]),
    '',
    subscaleTable(result),
    ...reasonLines(statistics.subscales.map(({ subscale, alpha }) => [`alpha of ${subscale}`, alpha.reason])),
    'alpha: the orders are replications of one model and no sample of people; it says whether its items move together when the order changes',
    '',
    ...orderLines(result),
    '',
    ...itemLines(result),
    ...notes.map((note) => `note: ${note}`),
    ...usageLines(manifest.usage),
    `written to ${folder.path}`,
  ].join('\n');
}

function answerLines({ asking, statistics }: AdministerResult): string[] {
  const { refused, unparsed, agreement, letterMass, counts } = statistics;
  const cut = counts.truncated === 0 ? '' : `, ${formatCount(counts.truncated)} cut`;
  const texts = `texts: refused ${percent(refused)}, otherwise without an answer ${percent(unparsed)}${cut}`;
  if (agreement === null) return ['counted: what the text says', texts];
  return [
    `counted: ${asking.answer === 'letters' ? 'the likeliest letter' : 'what the text says'}; all letters have ${formatPercent(letterMass)} of the probability in the mean`,
    `${texts}; the text's answer is the likeliest letter in ${percent(agreement)} of ${formatCount(agreement.n)}`,
  ];
}

function subscaleTable({ level, statistics: { subscales } }: AdministerResult): string {
  const interval = `[${formatPercent(level, null, 0)} interval]`;
  return renderTable(
    [
      { key: 'subscale' },
      { key: 'score', header: `score ${interval}`, align: 'right' },
      { key: 'range', header: 'can be', align: 'right' },
      { key: 'band' },
      { key: 'sd', align: 'right' },
      { key: 'n', header: 'orders', align: 'right', format: formatCount },
      { key: 'alpha', header: `alpha ${interval}`, align: 'right' },
    ],
    subscales.map((one) => ({
      subscale: one.subscale,
      score: number(one.score),
      range: `${one.min} to ${one.max}`,
      band: one.band,
      sd: formatNumber(one.sd),
      n: one.score.n,
      alpha: number(one.alpha),
    })),
  );
}

/** Why something is missing, each reason once. */
function reasonLines(given: readonly (readonly [what: string, reason: string | null])[]): string[] {
  const by = new Map<string, string[]>();
  for (const [what, reason] of given) if (reason !== null) by.set(reason, [...(by.get(reason) ?? []), what]);
  return [...by].map(([reason, what]) => `${what.join(', ')}: ${reason}`);
}

function orderLines({ level, statistics }: AdministerResult): string[] {
  const { differences, changed, disagreement, positions } = statistics.orderEffects;
  const interval = `[${formatPercent(level, null, 0)} interval]`;
  const table = renderTable(
    [
      { key: 'of', header: "scale's order less its reverse" },
      { key: 'difference', header: `difference ${interval}`, align: 'right' },
      { key: 'p', align: 'right' },
      { key: 'n', header: 'items', align: 'right', format: formatCount },
    ],
    differences.map((one) => ({
      of: one.of === 'answers' ? 'mean answer, as given' : one.of,
      difference: number(one),
      p: formatP(one.pValue),
      n: one.n,
    })),
  );
  const shares = positions.map((share) => formatPercent(share, null, 0)).join(', ');
  return [
    table,
    ...reasonLines(differences.map(({ of, reason }) => [of, reason])),
    `items answered otherwise in the reverse order: ${percent(changed)} of ${formatCount(changed.n)}; in two orders at random: ${percent(disagreement)}`,
    `place of the answer in the list, from the first: ${shares}`,
  ];
}

function itemLines({ folder, statistics: { items } }: AdministerResult): string[] {
  if (items.length > SHOWN_ITEMS) return [`items: ${folder.list('items.csv')}`];
  return [
    renderTable(
      [
        { key: 'item' },
        { key: 'subscale' },
        { key: 'n', align: 'right', format: formatCount },
        { key: 'mean', align: 'right' },
        { key: 'sd', align: 'right' },
        { key: 'rest', header: 'r with the rest', align: 'right' },
        { key: 'without', header: 'alpha without', align: 'right' },
        { key: 'refused', align: 'right' },
      ],
      items.map((one) => ({
        item: `${one.item}${one.reversed ? ' (reversed)' : ''}`,
        subscale: one.subscale,
        n: one.n,
        mean: twoDecimals(one.mean),
        sd: twoDecimals(one.sd),
        rest: twoDecimals(one.restCorrelation),
        without: twoDecimals(one.alphaWithout),
        refused: formatPercent(one.refused),
      })),
    ),
  ];
}
