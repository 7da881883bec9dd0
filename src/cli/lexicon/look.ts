/** `lexicon list` and `lexicon show`. */
import { AuditError } from '../../errors.ts';
import {
  type ListedLexicon,
  listLexicons,
  loadLexicon,
  locateLexicon,
  OWN_FOLDER,
  parseGroupFiles,
  readLocation,
} from '../../lexicon/index.ts';
import { formatCount, formatJson, renderTable } from '../../report/index.ts';
import { print, printFile } from '../../report/terminal.ts';
import { warn } from '../../shell/exit.ts';

export async function list({ json }: { json?: boolean }): Promise<void> {
  const { lexicons, nameless } = await listLexicons();
  if (json) {
    print(formatJson({ lexicons: lexicons.map(forPrograms), nameless }));
    return;
  }
  const columns = [
    { key: 'name' },
    { key: 'from' },
    { key: 'groups' },
    { key: 'pairs', format: formatCount },
    { key: 'occupations', format: formatCount },
    { key: 'description', maxWidth: 60 },
  ];
  print(`${renderTable(columns, lexicons.map(forPeople))}\n`);
  for (const { error } of lexicons) if (error !== null) warn(error.message);
  for (const file of nameless) {
    const message = `${file} has no name to go by; call it NAME.yaml with letters, digits, _ and -, or give its path`;
    warn(message);
  }
}

function forPrograms({ error, ...entry }: ListedLexicon) {
  return { ...entry, error: error === null ? null : error.toJSON() };
}

function forPeople({ name, origin, overridesShipped, summary }: ListedLexicon) {
  const own = overridesShipped ? 'yours, overrides the shipped one' : 'yours';
  return {
    name,
    from: origin === 'shipped' ? 'shipped' : own,
    groups: summary?.groups.map((group) => `${group.name} ${formatCount(group.words)}`).join(', ') ?? null,
    pairs: summary?.pairs ?? null,
    occupations: summary?.occupations ?? null,
    description: summary?.description ?? 'has faults',
  };
}

export async function show(name: string, { json }: { json?: boolean }): Promise<void> {
  if (json) {
    print(formatJson(await loadLexicon(name, { onWarning: warn })));
    return;
  }
  if (parseGroupFiles(name) !== null) {
    const message = `${name} is made of word lists and has no file of its own; show it with --json, or make one of it: logit-audit lexicon create NAME --group GROUP=FILE (into ${OWN_FOLDER})`;
    throw new AuditError('bad_argument', message, { lexicon: name });
  }
  const bytes = await readLocation(await locateLexicon(name));
  printFile(bytes);
}
