/** Whether two runs asked the same: only then a difference between them is one between the models. */
import { isDeepStrictEqual } from 'node:util';
import { AuditError } from '../../errors.ts';
import type { Manifest } from '../manifest.ts';
import type { StoredRun } from '../stored.ts';

interface Aspect {
  /** What is compared, as the message names it. */
  readonly what: string;
  of(manifest: Manifest): unknown;
  /** What is shown of it; default: the value itself. */
  show?(manifest: Manifest): string;
}

const ASPECTS: readonly Aspect[] = [
  { what: 'suites', of: ({ suite }) => suite },
  {
    what: 'data',
    of: ({ data }) => [data.sha256, data.rows],
    show: ({ data }) =>
      `${data.files.map(({ path }) => path).join(', ')} (${data.rows} rows, SHA-256 ${data.sha256.slice(0, 12)})`,
  },
  { what: 'modes', of: ({ experiment }) => experiment.compat },
  {
    what: 'lexicons',
    of: ({ lexicon }) => lexicon?.sha256 ?? null,
    show: ({ lexicon }) => (lexicon ? `${lexicon.name} (SHA-256 ${lexicon.sha256.slice(0, 12)})` : 'none'),
  },
  {
    what: 'rules for words of several tokens',
    of: ({ experiment: { policy, capitalised } }) => [policy, capitalised],
  },
];

const PROMPTS: Aspect = {
  what: 'prompts',
  of: ({ promptsSha256 }) => promptsSha256,
  show: ({ promptsSha256, model }) =>
    `SHA-256 ${promptsSha256?.slice(0, 12)}, chat template ${model.chatTemplateSha256?.slice(0, 12) ?? 'none'}`,
};

/** One line for each thing in which the runs differ, with what either has. */
function differences(a: Manifest, b: Manifest, aspects: readonly Aspect[]): string[] {
  const own = aspects
    .filter(({ of }) => !isDeepStrictEqual(of(a), of(b)))
    .map(({ what, of, show = (manifest) => JSON.stringify(of(manifest)) }) => {
      return `their ${what} differ: ${show(a)}, and ${show(b)}`;
    });
  if (a.suite !== b.suite) return own;
  const names = new Set([...Object.keys(a.experiment.options), ...Object.keys(b.experiment.options)]);
  const options = [...names]
    .filter((name) => !isDeepStrictEqual(a.experiment.options[name], b.experiment.options[name]))
    .map((name) => {
      const [first, second] = [a, b].map(({ experiment }) => JSON.stringify(experiment.options[name]));
      return `their option ${name} differs: ${first}, and ${second}`;
    });
  return [...own, ...options];
}

/**
 * Throws `bad_argument` that says in what the runs differ. Prompts may differ where `acrossTemplates` says so: the same
 * chat, rendered by two models' own templates.
 */
export function assertComparable(a: StoredRun, b: StoredRun, acrossTemplates: boolean): void {
  const faults = differences(a.manifest, b.manifest, ASPECTS);
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
