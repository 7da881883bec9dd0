/** The parts of a panel as its file and its flags name them, read: lexicons, numbers by occupation, what is for all. */

import type { Suite } from '../../contract/index.ts';
import { AuditError } from '../../errors.ts';
import { loadLexicon, readTokenGroups } from '../../lexicon/index.ts';
import { type PanelFilePart, type PanelPart, readOccupations, readPanelFile } from '../../run/index.ts';
import { findSuite, suiteNames } from '../../suites/registry.ts';

export interface PartFlags {
  panel?: string;
  lexicon: string;
  occupations?: string;
  limit?: number;
  sample?: number;
  seed: number;
  compat?: 'reference';
}

/** What a part or a flag may ask for, and which suites can do something with it. */
const USES: Readonly<Record<string, (suite: Suite) => boolean>> = {
  lexicon: (suite) => suite.lexicon !== 'none',
  groups: (suite) => suite.lexicon === 'tokens',
  policy: (suite) => suite.lexicon === 'tokens',
  capitalised: (suite) => suite.lexicon === 'tokens',
  occupations: (suite) => suite.usesOccupations === true,
  compat: (suite) => suite.reference !== undefined,
};

/** A part of the file or of the flags, its suite looked up. */
type NamedPart = Omit<PanelFilePart, 'suite'> & { readonly suite: Suite };

/** The suites that were given data by a flag of their own, in the order of the table of suites. */
function partsOfFlags(flags: Readonly<Record<string, unknown>>): NamedPart[] {
  return suiteNames().flatMap((suite) => {
    const data = flags[suite] as string[] | undefined;
    return data ? [{ suite: findSuite(suite), data }] : [];
  });
}

/** Nothing that is asked for may be without effect: of a part on its suite, of a flag on all of them. */
function checkUse(parts: readonly NamedPart[], flags: PartFlags): void {
  for (const part of parts) {
    const { suite } = part;
    const idle = Object.keys(USES).find((key) => key in part && !USES[key]!(suite));
    if (idle !== undefined) {
      const message = `${part.name ?? suite.name}: the suite ${suite.name} has no use for ${idle}; leave it out`;
      throw new AuditError('bad_argument', message, { part: part.name ?? suite.name, key: idle });
    }
  }
  for (const flag of ['occupations', 'compat'] as const) {
    if (flags[flag] === undefined || parts.some(({ suite }) => USES[flag]!(suite))) continue;
    throw new AuditError('bad_argument', `no suite of the panel has a use for --${flag}; leave it out`, {
      key: flag,
    });
  }
}

/** What a part leaves open is as for all; what is for all concerns the suites that have a use for it. */
async function resolvePart(
  { lexicon, groups, occupations, compat, limit, sample, ...part }: NamedPart,
  flags: PartFlags,
): Promise<PanelPart> {
  const uses = (key: string) => USES[key]!(part.suite);
  const table = occupations ?? flags.occupations;
  // What a part says goes before what is for all, whichever of the two it is.
  const own = limit !== undefined || sample !== undefined;
  const rows = own ? limit : flags.limit;
  const drawn = own ? sample : flags.sample;
  const mode = compat ?? flags.compat;
  return {
    ...part,
    ...(uses('lexicon') ? { lexicon: await loadLexicon(lexicon ?? flags.lexicon) } : {}),
    ...(groups === undefined ? {} : { groups: await readTokenGroups(groups) }),
    ...(table !== undefined && uses('occupations') ? { occupations: await readOccupations(table) } : {}),
    ...(mode !== undefined && uses('compat') ? { compat: mode } : {}),
    ...(rows === undefined ? {} : { limit: rows }),
    ...(drawn === undefined ? {} : { sample: { rows: drawn, seed: flags.seed } }),
  };
}

/** Those of the file first. Throws what the files that they name throw, and `bad_argument` for what no suite can use. */
export async function readParts(flags: PartFlags): Promise<PanelPart[]> {
  const listed = [
    ...(flags.panel === undefined ? [] : await readPanelFile(flags.panel)).map((part) => ({
      ...part,
      suite: findSuite(part.suite),
    })),
    ...partsOfFlags(flags as unknown as Record<string, unknown>),
  ];
  if (listed.length === 0) {
    const flag = suiteNames()[0];
    throw new AuditError(
      'bad_argument',
      `the panel has no part; give data by --${flag} FILE and the like, or --panel FILE`,
    );
  }
  checkUse(listed, flags);
  return Promise.all(listed.map((part) => resolvePart(part, flags)));
}
