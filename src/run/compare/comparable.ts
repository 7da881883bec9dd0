/** Whether two runs asked the same: only then a difference between them is one between the models. */
import { isDeepStrictEqual } from 'node:util';
import { AuditError } from '../../errors.ts';
import type { LexiconMapping } from '../../lexicon/index.ts';
import type { Manifest } from '../manifest.ts';
import { partOfData, sampleLine } from '../sample.ts';
import type { StoredRun } from '../stored.ts';

interface Aspect {
  /** What is compared, as the message names it. */
  readonly what: string;
  of(manifest: Manifest): unknown;
  /** What is shown of it; default: the value itself. */
  show?(manifest: Manifest): string;
}

/** Digits of a hash that a message shows. */
const SHOWN_DIGITS = 12;
const short = (sha256: string) => sha256.slice(0, SHOWN_DIGITS);

/** Files of a data set that a message names. */
const SHOWN_FILES = 2;

function fileNames({ data: { files } }: Manifest): string {
  const shown = files.slice(0, SHOWN_FILES).map(({ path }) => path);
  const more = files.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

const ASPECTS: readonly Aspect[] = [
  { what: 'suites', of: ({ suite }) => suite },
  {
    what: 'data',
    of: ({ data }) => [data.sha256, data.rows],
    show: (manifest) =>
      `${fileNames(manifest)} (${manifest.data.rows} rows, SHA-256 ${short(manifest.data.sha256)})`,
  },
  {
    what: 'samples',
    of: ({ experiment }) => experiment.sample ?? null,
    show: ({ experiment: { sample } }) => (sample ? sampleLine(sample) : 'none'),
  },
  {
    what: 'modes',
    of: ({ experiment }) => experiment.compat,
    show: ({ experiment: { compat } }) => (compat ? `--compat ${compat}` : 'none'),
  },
  {
    what: 'lexicons',
    of: ({ lexicon }) => lexicon?.sha256 ?? null,
    show: ({ lexicon }) => (lexicon ? `${lexicon.name} (SHA-256 ${short(lexicon.sha256)})` : 'none'),
  },
  {
    what: 'rules for words of several tokens',
    of: ({ experiment: { policy, capitalised } }) => [policy, capitalised],
    show: ({ experiment: { policy, capitalised } }) =>
      `${policy ?? 'none'}${capitalised === false ? ', no capitalised forms' : ''}`,
  },
  {
    what: 'numbers by occupation',
    of: ({ experiment }) => experiment.occupations.map(({ name, sha256 }) => [name, sha256]),
    show: ({ experiment: { occupations } }) =>
      occupations.map(({ name, sha256 }) => `${name} (SHA-256 ${short(sha256)})`).join(', ') || 'none',
  },
  {
    what: 'clusters',
    of: ({ experiment }) => experiment.cluster ?? null,
    show: ({ experiment: { cluster } }) =>
      cluster == null
        ? "the suite's own"
        : cluster.length === 0
          ? '--cluster none'
          : `--cluster ${cluster.join(',')}`,
  },
];

const PROMPTS: Aspect = {
  what: 'prompts',
  of: ({ promptsSha256 }) => promptsSha256,
  show: ({ promptsSha256, model: { chatTemplateSha256 } }) =>
    `${promptsSha256 ? `SHA-256 ${short(promptsSha256)}` : 'not known'}, chat template ${chatTemplateSha256 ? short(chatTemplateSha256) : 'none'}`,
};

/** One line for each of these things in which the runs differ, with what either has. */
function differences(a: Manifest, b: Manifest, aspects: readonly Aspect[]): string[] {
  return aspects
    .filter(({ of }) => !isDeepStrictEqual(of(a), of(b)))
    .map(({ what, of, show = (manifest) => JSON.stringify(of(manifest)) }) => {
      return `their ${what} differ: ${show(a)}, and ${show(b)}`;
    });
}

/** An option as it is compared: by what it comes to on the run's model where the suite says so, else by its value. */
function optionOf({ suite, context, manifest }: StoredRun, name: string): { value: unknown; text: string } {
  const { options } = manifest.experiment;
  const text = name in options ? JSON.stringify(options[name]) : 'not there';
  const option = suite.options[name];
  if (option?.kind !== 'choice' || !option.effect) {
    // A run of a version without the option did what a switch that is off, or a text that is not given, stands for.
    const before = option?.kind === 'switch' || option?.default === null ? option.default : undefined;
    return { value: name in options ? options[name] : before, text };
  }
  const effect = option.effect(context.options[name] as string, context);
  return {
    value: effect,
    text: `${text} on a model that puts ${context.addsBos ? 'a' : 'no'} BOS in front (${effect})`,
  };
}

/** Of two runs of one suite. */
function optionDifferences(a: StoredRun, b: StoredRun): string[] {
  const names = new Set([a, b].flatMap(({ manifest }) => Object.keys(manifest.experiment.options)));
  return [...names].flatMap((name) => {
    const [first, second] = [optionOf(a, name), optionOf(b, name)];
    if (isDeepStrictEqual(first.value, second.value)) return [];
    return [`their option ${name} differs: ${first.text}, and ${second.text}`];
  });
}

/** By the hash of their tokens' texts; where it is not known (an endpoint's), one model has one tokenizer. */
export function haveOneTokenizer(
  { manifest: { model: a } }: StoredRun,
  { manifest: { model: b } }: StoredRun,
): boolean {
  if (a.tokenizerSha256 !== b.tokenizerSha256) return false;
  return a.tokenizerSha256 !== null || a.path === b.path;
}

const idCounts = ({ groups }: LexiconMapping) =>
  groups.map(({ name, ids }) => `${name} (${ids.length} ids)`).join(', ');

/**
 * Token groups must have the same names, and of one tokenizer the same ids too: they may have been given by a file. Two
 * tokenizers have ids of their own.
 */
function groupDifferences(a: StoredRun, b: StoredRun): string[] {
  const [first, second] = [a.context.mapping, b.context.mapping];
  if (!first || !second) return [];
  const oneTokenizer = haveOneTokenizer(a, b);
  const known = ({ groups }: LexiconMapping) =>
    groups.map(({ name, ids }) => [name, oneTokenizer ? [...ids] : null]);
  if (isDeepStrictEqual(known(first), known(second))) return [];
  return [`their token groups differ: ${idCounts(first)}, and ${idCounts(second)}`];
}

const revisionOf = ({ manifest }: StoredRun) => manifest.experiment.revision ?? 1;

/** What changed in the suite between two runs of different revisions. */
function revisionNotes(a: StoredRun, b: StoredRun): string[] {
  const [older, newer] = [revisionOf(a), revisionOf(b)].sort((x, y) => x - y) as [number, number];
  if (older === newer) return [];
  const changes = (a.suite.changes ?? []).slice(older - 1, newer - 1);
  return [
    `the runs are of revisions ${revisionOf(a)} and ${revisionOf(b)} of the suite ${a.suite.name}; both are computed here by ` +
      `this version's definitions, and the files of the older run are not. What changed: ${changes.join('; ')}`,
  ];
}

/** What must be said beside the numbers: which part of the data they are of, and what may differ. */
export function comparisonNotes(a: StoredRun, b: StoredRun): string[] {
  const versions = [a, b].map(({ manifest }) => manifest.versions?.logitAudit ?? 'not known');
  return [
    ...partOfData(a.manifest.experiment),
    ...differences(a.manifest, b.manifest, [PROMPTS]),
    ...revisionNotes(a, b),
    ...(a.suite.lexicon === 'tokens' && !haveOneTokenizer(a, b)
      ? [
          'their tokenizers differ: the same words are other tokens in either, and so are the masses of their groups',
        ]
      : []),
    ...(versions[0] === versions[1]
      ? []
      : [`they were made by two versions of logit-audit: ${versions.join(', and ')}`]),
  ];
}

/**
 * Throws `bad_argument` that says in what the runs differ. Prompts may differ where `acrossTemplates` says so: the same
 * chat, rendered by two models' own templates.
 */
export function assertComparable(a: StoredRun, b: StoredRun, acrossTemplates: boolean): void {
  const sameSuite = a.manifest.suite === b.manifest.suite;
  const faults = [
    ...differences(a.manifest, b.manifest, ASPECTS),
    ...(sameSuite ? optionDifferences(a, b) : []),
  ];
  // Other words have other ids.
  if (faults.length === 0) faults.push(...groupDifferences(a, b));
  // Other prompts follow from whatever else differs; by themselves they come of two chat templates.
  const prompts = faults.length > 0 || acrossTemplates ? [] : differences(a.manifest, b.manifest, [PROMPTS]);
  const all = [...faults, ...prompts];
  if (all.length === 0) return;
  const advice =
    prompts.length > 0
      ? 'where only the chat templates of two models differ, --across-templates compares them all the same'
      : 'run both on the same data with the same options';
  throw new AuditError(
    'bad_argument',
    `${a.folder.path} and ${b.folder.path}: ${all.join('; ')}; ${advice}`,
    {
      differences: all,
    },
  );
}
