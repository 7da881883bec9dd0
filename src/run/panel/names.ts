/** Names of a panel's parts: of their folders, and in its tables. */
import { AuditError } from '../../errors.ts';
import { PANEL_FILES } from '../folder.ts';

/** What every file system takes. */
const NAME = /^[A-Za-z0-9](?:[\w.-]*[\w-])?$/;

/** As file systems see them that tell no case apart. */
const folded = (name: string) => name.toLowerCase();

const TAKEN: ReadonlySet<string> = new Set(PANEL_FILES.map(folded));

/** Throws `bad_argument` for a name that is no good for a folder, and for two of one name. */
export function checkPartNames(names: readonly string[]): void {
  const seen = new Set<string>();
  for (const name of names) {
    if (!NAME.test(name)) {
      throw fault(name, `"${name}" is no name for a part; use letters, digits, . _ and -`);
    }
    if (TAKEN.has(folded(name))) {
      throw fault(name, `"${name}" is the name of a file of the panel; give the part another`);
    }
    if (seen.has(folded(name))) {
      throw fault(name, `two parts of the panel are called "${name}"; give each a name of its own`);
    }
    seen.add(folded(name));
  }
}

function fault(name: string, message: string): AuditError {
  return new AuditError('bad_argument', message, { name });
}
