/** Every suite by name. A new suite is a file of its own and a line here. */

import type { Suite } from '../contract/suite.ts';
import { AuditError } from '../errors.ts';
import { bbq } from './bbq/ask/bbq.ts';
import { consistency } from './consistency/consistency.ts';
import { crows } from './crows.ts';
import { ctfBounds } from './ctf/bounds/bounds.ts';
import { ctf } from './ctf/ctf.ts';
import { em } from './em/em.ts';
import { ppl } from './ppl.ts';
import { rules } from './rules/ask/rules.ts';
import { stereoset } from './stereoset/stereoset.ts';
import { wino } from './wino/wino.ts';
import { winobias } from './winobias/winobias.ts';

// What differs from suite to suite (its row, its options) is checked by the suite's own schema and table.
const SUITES: ReadonlyMap<string, Suite> = new Map(
  [ctf, ctfBounds, consistency, crows, wino, winobias, stereoset, bbq, rules, ppl, em].map((suite) => [
    suite.name,
    suite as unknown as Suite,
  ]),
);

export function suiteNames(): string[] {
  return [...SUITES.keys()];
}

/** Throws `bad_argument` that lists the suites there are. */
export function findSuite(name: string): Suite {
  const suite = SUITES.get(name);
  if (!suite) {
    throw new AuditError(
      'bad_argument',
      `there is no suite "${name}"; use one of: ${suiteNames().join(', ')}`,
      {
        suite: name,
      },
    );
  }
  return suite;
}
