/** Every suite by name. A new suite is a file of its own and a line here. */
import { AuditError } from '../errors.ts';
import { ctf } from './ctf.ts';
import type { Suite } from './suite.ts';

const SUITES: ReadonlyMap<string, Suite> = new Map([ctf].map((suite) => [suite.name, suite as Suite]));

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
