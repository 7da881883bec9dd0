/** Every suite by name. A new suite is a file of its own and a line here. */

import { anySuite, type Suite } from '../contract/index.ts';
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

const SUITES: readonly Suite[] = [
  anySuite(ctf),
  anySuite(ctfBounds),
  anySuite(consistency),
  anySuite(crows),
  anySuite(wino),
  anySuite(winobias),
  anySuite(stereoset),
  anySuite(bbq),
  anySuite(rules),
  anySuite(ppl),
  anySuite(em),
];

/** The names of all suites, in the order of the table of suites. */
export function suiteNames(): string[] {
  return SUITES.map(({ name }) => name);
}

/** The suite of a name. Throws `bad_argument` that lists the suites. */
export function findSuite(name: string): Suite {
  const suite = SUITES.find((suite) => suite.name === name);
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
