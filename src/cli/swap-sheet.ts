/** What `swap` prints once it is done. */
import { formatCount, renderTable } from '../report/index.ts';
import type { RejectedRow, RejectReason, SwapJob, SwapTally } from './swap-rows.ts';

export interface SwapReport {
  readonly job: SwapJob;
  readonly groups: readonly [string, string];
  readonly tally: SwapTally;
  readonly firstRejected: readonly RejectedRow[];
  readonly out: string | undefined;
  readonly rejected: string | undefined;
}

const SHOWN_CHANGES = 12;

const REASONS: Readonly<Record<RejectReason, string>> = {
  no_lexicon_word: 'no word to swap',
  no_partner: 'a word has no partner',
  ambiguous_use: 'the use of a word is not clear',
  round_trip: 'does not come back',
  half_swapped: 'a word with a gender stays',
  named_person: 'names a person',
  no_text: 'no text',
  data_malformed: 'the row cannot be read',
};

/** For programs. */
export function swapJson({ job, groups, tally, firstRejected, out, rejected }: SwapReport): string {
  const { name, file, sha256 } = job.lexicon;
  const counts = {
    data: job.dataset.files,
    column: job.column,
    lexicon: { name, file, sha256 },
    between: groups,
    out: tally.swapped === 0 ? null : (out ?? null),
    rejectedFile: rejected ?? null,
    rows: tally.rows,
    swapped: tally.swapped,
    roundTripFailed: tally.roundTripFailed,
    marked: Object.fromEntries(tally.marked),
    occupationsFound: tally.occupationsFound,
    rejected: Object.fromEntries(tally.rejected),
    firstRejected,
    changes: tally.changes,
  };
  return JSON.stringify(counts, null, 2);
}

/** For people. */
export function swapSheet(report: SwapReport): string {
  const { job, groups, tally } = report;
  const leftOut = tally.rows - tally.swapped;
  return [
    `${job.dataset.files.join(', ')}, column ${job.column}; lexicon ${job.lexicon.name}, ${groups[0]} and ${groups[1]}`,
    `${formatCount(tally.rows)} rows: ${formatCount(tally.swapped)} swapped, ${formatCount(leftOut)} left out`,
    ...roundTripLine(tally),
    ...markedLine(tally),
    ...(tally.occupationsFound === 0
      ? []
      : [`occupation taken from the text in ${formatCount(tally.occupationsFound)} rows`]),
    ...changesTable(tally),
    ...rejectedLines(report),
    ...(report.out === undefined || tally.swapped === 0 ? [] : ['', `written to ${report.out}`]),
  ].join('\n');
}

function markedLine({ marked }: SwapTally): string[] {
  if (marked.size === 0) return [];
  const kinds = [...marked].map(([kind, count]) => `${REASONS[kind]} ${formatCount(count)}`);
  return [`marked: ${kinds.join(', ')} (see the column marks; --strict-round-trip leaves them out)`];
}

function roundTripLine({ roundTripFailed, marked, swapped }: SwapTally): string[] {
  if (swapped === 0) return [];
  if (roundTripFailed === 0) {
    return [`swapped again, all of them${marked.size === 0 ? '' : ' without a mark'} come back as they were`];
  }
  return [
    `swapped again, ${formatCount(roundTripFailed)} do not come back as they were (roundTrip is false there; --strict-round-trip leaves them out)`,
  ];
}

function changesTable({ changes }: SwapTally): string[] {
  if (changes.length === 0) return [];
  const more = changes.length - SHOWN_CHANGES;
  const table = renderTable(
    [{ key: 'from' }, { key: 'to' }, { key: 'as' }, { key: 'count', format: formatCount }],
    changes.slice(0, SHOWN_CHANGES).map(({ from, to, as, count }) => ({ from, to, as, count })),
  );
  return ['', table, ...(more > 0 ? [`and ${formatCount(more)} more (--json has all)`] : [])];
}

function rejectedLines({ tally, firstRejected, rejected }: SwapReport): string[] {
  if (firstRejected.length === 0) return [];
  const leftOut = tally.rows - tally.swapped;
  const reasons = [...tally.rejected].map(([reason, count]) => `${REASONS[reason]} ${formatCount(count)}`);
  const more = leftOut - firstRejected.length;
  const where = rejected === undefined ? '--rejected FILE lists all' : `all in ${rejected}`;
  return [
    '',
    `left out: ${reasons.join(', ')}; ${where}`,
    ...firstRejected.map((row) => `  row ${row.row} (line ${row.line}): ${plain(row.message)}`),
    ...(more > 0 ? [`  and ${formatCount(more)} more`] : []),
  ];
}

/** Text out of data must not steer the terminal. */
function plain(text: string): string {
  return text.replace(/\p{Cc}/gu, (character) => JSON.stringify(character).slice(1, -1));
}
