/**
 * What a suite is: a table entry and pure functions. It says how a row of data becomes requests, how what was
 * observed becomes the row's result, and which of the result's numbers are metrics. It touches neither model nor disk.
 */
import type { z } from 'zod';
import type { AuditError, ErrorCode, ErrorData } from '../errors.ts';
import type { Lexicon, LexiconMapping } from '../lexicon/index.ts';
import type { Estimate } from '../numbers/estimate.ts';
import type { Measure, ObserveRequest } from '../observation/observation.ts';
import type { ObservedRequest } from '../observation/observed.ts';
import type { Fields, MetricDefinition, RowIdentity } from './metric.ts';
import type { OptionTable, OptionValues } from './options.ts';

/** A number for each occupation, such as the share of women in it. */
export interface OccupationStatistic {
  /** As the column that it came from. */
  readonly name: string;
  /** By the occupation in lower case. */
  readonly values: ReadonlyMap<string, number>;
}

/** What every function of a suite may use besides its arguments. */
export interface SuiteContext<Options = OptionValues<OptionTable>> {
  /** The suite's own options, complete. */
  readonly options: Options;
  /** `reference`: the numbers and quirks of the reference project (docs/suites.md), where the suite has such a mode. */
  readonly compat: 'reference' | null;
  /** Null where the suite needs none. */
  readonly lexicon: Lexicon | null;
  /** Null unless the suite needs token groups. */
  readonly mapping: LexiconMapping | null;
  readonly occupations: readonly OccupationStatistic[];
  /** Ids of the tokens that end a word, where the suite wants them ({@link Suite.wantsWordEnds}). */
  readonly wordEnds?: Int32Array;
  /** The model puts a token in front of every text, so that its first token has a probability. */
  readonly addsBos: boolean;
  /** What is put in front where a text's first token is scored on a model that puts nothing there; null where it has nothing. */
  readonly front?: { readonly is: 'BOS' | 'EOS'; readonly text: string } | null;
  /** Chats can be asked. Left out: not known, and none is asked unless the options say so. */
  readonly hasChatTemplate?: boolean;
  /** The model continues its own text where a request says `then`. Default: no. */
  readonly goesOn?: boolean;
  /** What a suite was given to work with that is too large for an option: the suite's own, which checks that it is there. */
  readonly material?: unknown;
}

/**
 * What is to be asked for a row, or why nothing is: it is left out, or there is something wrong with it that only its
 * place tells. `note` goes into the row's result.
 */
export type Plan =
  | { readonly kind: 'ask'; readonly requests: readonly ObserveRequest[]; readonly note: Fields }
  | { readonly kind: 'skip'; readonly reason: string; readonly message: string }
  | { readonly kind: 'fail'; readonly error: AuditError };

/** Where a row stands: its file, and its number in the data, from 0. */
export interface RowPlace {
  readonly file: string;
  readonly index: number;
}

/** Rows that a run lists in a file of their own, beside those of all rows. */
export interface RowList {
  /** Name of the CSV file. */
  readonly file: string;
  keep(result: Fields): boolean;
}

/** A row of the journal: what came of a row of the data. */
export type JournalEntry = {
  /** Number of the row in the data, from 0. */
  readonly row: number;
  /** Null where the row could not be read far enough to know it. */
  readonly id: string | null;
  /** Value of each slice column; null where the row has none. */
  readonly slices: RowIdentity['slices'];
  /** What the row is clustered by; left out where it is its own cluster. */
  readonly clusters?: NonNullable<RowIdentity['clusters']>;
} & (
  | { readonly status: 'ok'; readonly result: Fields }
  | { readonly status: 'skipped'; readonly reason: string; readonly message: string }
  | {
      readonly status: 'failed';
      readonly error: { readonly code: ErrorCode; readonly message: string; readonly data: ErrorData };
    }
);

export type MeasuredRow = Extract<JournalEntry, { status: 'ok' }>;

/** A line of a table, by its columns; an empty cell is null. */
export type TableRow = Readonly<Record<string, string | number | boolean | null>>;

/** A file of a run that a suite makes: a table, or a JSON document. */
export type SuiteFile =
  | { readonly file: string; readonly columns: readonly string[]; readonly rows: Iterable<TableRow> }
  | { readonly file: string; readonly json: unknown };

/** What a suite makes of all rows together, which are read once for everything that is derived of them. */
export interface Derivation {
  /** Every row of the journal, in order. */
  add(entry: JournalEntry): void;
  /** The files, once all rows were added. */
  files(): Iterable<SuiteFile>;
}

/** A table of measured rows in place of rows.csv, made as they are read. */
export interface RowTable {
  readonly file: string;
  readonly columns: readonly string[];
  line(entry: MeasuredRow): TableRow;
}

/**
 * Where a run is resumed. `end` (the default): behind the last window of rows, and what failed stays so; the run is the one that it would have
 * been without the stop, to the last digit. The others are of suites whose rows are answers, which are kept whatever does not change
 * what is asked. `failure`: at the first window with a row that failed; all from there is asked again, in the same company.
 * `unanswered`: every row without an answer is asked, in whatever order, and a later run may be about more rows.
 */
export type ResumeAt = 'end' | 'failure' | 'unanswered';

/** Rows of the first window that is asked at a time, and of the largest: `first` times a power of two. */
export interface WindowSizes {
  readonly first: number;
  readonly most: number;
}

/** A benchmark or audit as a table entry and pure functions: rows to requests, observations to a row result, results to metrics. */
export interface Suite<Row = unknown, Table extends OptionTable = OptionTable> {
  readonly name: string;
  /** One line. */
  readonly summary: string;
  /** The panel that its headline metrics stand in. */
  readonly panel: 'bias' | 'utility';
  /** What its data are: the columns, or the file of a public data set. */
  readonly data: string;
  /** A command that runs it. */
  readonly example: string;
  /** Of a folder given as data, the names of the files that are read; default: a folder is none. */
  readonly filesIn?: RegExp;
  readonly schema: z.ZodType<Row>;
  /** Of a suite whose options say what a row must have: the schema with them; default: `schema`. */
  schemaWith?(options: OptionValues<Table>): z.ZodType<Row>;
  /** Where the rows of a JSON document lie: the first of these paths that is there; default: the document is the list. */
  readonly rowsAt?: readonly (readonly string[])[];
  /** Of an element of that list, the rows that it holds; default: it is one. */
  readonly unfold?: (value: unknown) => readonly unknown[];
  /** Its own options; run, help and documents are fed from this table. */
  readonly options: Table;
  /** What it needs of a lexicon: nothing, its words, or its words as token groups of the model. */
  readonly lexicon: 'none' | 'words' | 'tokens';
  /** It correlates with numbers by occupation. */
  readonly usesOccupations?: boolean;
  /** Columns whose values cut the data into slices. */
  readonly slices: readonly string[];
  /** Names of the metrics that a summary of several suites shows. */
  readonly headline: readonly string[];
  /** Lists of rows that want a look. */
  readonly lists?: readonly RowList[];
  /**
   * Changes of meaning, oldest first, each as a sentence on what was and what is now: of a metric or a column that kept its
   * name. The suite's revision is 1 and one more for each. Metrics are computed of what every revision has in its rows, so
   * that runs of earlier ones can be compared.
   */
  readonly changes?: readonly string[];
  /** Default: `end`. */
  readonly resumeAt?: ResumeAt;
  /** Rows asked at a time; default: as many as the engine makes use of. */
  readonly windows?: WindowSizes;
  /** Default: rows.csv. Where a run was stopped, its table has the rows that were measured. */
  readonly table?: RowTable;
  /** Files of what is asked, for people; written before anything is. */
  given?(context: SuiteContext<OptionValues<Table>>): Iterable<SuiteFile>;
  /** Files of its own, of all rows together. */
  derive?(context: SuiteContext<OptionValues<Table>>): Derivation;
  /** A suite without metrics has no metrics.json and no summary.csv but what it derives itself. */
  metrics(context: SuiteContext<OptionValues<Table>>): readonly MetricDefinition[];
  /** What must be said beside the metrics, by the same names as theirs (`jsdTopK.k`). */
  constants?(context: SuiteContext<OptionValues<Table>>): Readonly<Record<string, number>>;
  /** Of a suite whose options choose a part of the data: whether the row is of that part; default: all rows are. */
  belongs?(row: Row, options: OptionValues<Table>): boolean;
  /** Throws `bad_argument` where this suite cannot work with these options or this lexicon. */
  check?(context: SuiteContext<OptionValues<Table>>): void;
  /** What is computed of every observed step; default: nothing. */
  measure?(context: SuiteContext<OptionValues<Table>>): Measure;
  /** Whether {@link ObservedText.pieces} are wanted; default: no. */
  wantsPieces?(context: SuiteContext<OptionValues<Table>>): boolean;
  /** Whether {@link SuiteContext.wordEnds} are wanted; default: no. */
  wantsWordEnds?(options: OptionValues<Table>): boolean;
  identify(row: Row, place: RowPlace): RowIdentity;
  /** What a row has in common with those that a sample keeps together with it; null or left out: it stands alone. */
  unit?(row: Row, place: RowPlace): string | null;
  /**
   * Of a suite whose requests hold what earlier rows were answered: the round of a row. A round is planned once all rows of those before
   * it are answered. Default: all rows are of one.
   */
  round?(row: Row, context: SuiteContext<OptionValues<Table>>): number;
  /** `earlier`: by id the results of the rows of earlier rounds that were measured. */
  plan(
    row: Row,
    context: SuiteContext<OptionValues<Table>>,
    place: RowPlace,
    earlier?: ReadonlyMap<string, Fields>,
  ): Plan;
  /**
   * What is to be asked once more, by what was answered so far (those of the plan first, then those of earlier calls);
   * called until it asks for nothing. Default: nothing.
   */
  followUp?(
    observed: readonly ObservedRequest[],
    context: SuiteContext<OptionValues<Table>>,
    row: Row,
    note: Fields,
  ): readonly ObserveRequest[];
  /** The row's result; `observed` has one entry per request of the plan, and then per follow-up; `note` is the plan's. */
  score(
    observed: readonly ObservedRequest[],
    context: SuiteContext<OptionValues<Table>>,
    row: Row,
    note: Fields,
  ): Fields;
  /** The run's numbers as the reference project writes them; a suite without it has no mode `reference`. */
  reference?(
    metrics: ReadonlyMap<string, MetricFigures>,
    counts: RunCounts,
    context: SuiteContext<OptionValues<Table>>,
  ): Fields;
  /**
   * What was answered in a row, by what it is called in a sentence ("the likeliest letter"), null for none: a run whose
   * answers are all the same says so.
   */
  answers?(result: Fields): Readonly<Record<string, string | number | null>>;
  /** Sentences on what the numbers of the whole run say of themselves, such as a coverage that is too low. */
  remarks?(metrics: ReadonlyMap<string, MetricFigures>, context: SuiteContext<OptionValues<Table>>): string[];
}

/** The suite as machinery sees it, which knows neither its rows nor its options: both pass the suite's own schema and table. */
export function anySuite<Row, Table extends OptionTable>(suite: Suite<Row, Table>): Suite {
  return suite as unknown as Suite;
}

/** A metric over all rows, whatever its rule: what a remark or a summary may be about. */
export interface MetricFigures extends Omit<Estimate, 'reason'> {
  /** Share of the steps that count; null where the rule has no gate. */
  readonly coverage: number | null;
}

/** How many rows of a run there are of each kind. */
export interface RunCounts {
  readonly rows: number;
  readonly ok: number;
  readonly failed: number;
  readonly skipped: number;
}
