/** `lexicon create`, `update` and `delete`. */
import { AuditError } from '../../errors.ts';
import {
  createLexicon,
  deleteLexicon,
  type GroupedWord,
  type GroupSource,
  type LexiconContent,
  type LexiconPair,
  type SavedLexicon,
  updateLexicon,
} from '../../lexicon/index.ts';
import { formatCount, formatJson } from '../../report/index.ts';
import { print } from '../../report/terminal.ts';
import { warn } from '../../shell/exit.ts';
import { onlyGiven } from '../../shell/options.ts';

export interface CreateFlags {
  json?: boolean;
  from?: string;
  group?: readonly GroupSource[];
  words?: readonly GroupSource[];
  language?: string;
  description?: string;
}

export interface UpdateFlags {
  json?: boolean;
  addGroup?: readonly GroupSource[];
  words?: readonly GroupSource[];
  removeGroup?: readonly string[];
  addWords?: readonly GroupedWord[];
  removeWords?: readonly GroupedWord[];
  addPair?: readonly LexiconPair[];
  removePair?: readonly LexiconPair[];
  language?: string;
  description?: string;
}

export async function create(name: string, flags: CreateFlags): Promise<void> {
  const saved = await createLexicon(name, contentOf(flags));
  tell(saved, 'made', flags);
}

function contentOf({ from, group = [], words = [], language, description }: CreateFlags): LexiconContent {
  const groups = [...group, ...words];
  const texts = {
    ...(language === undefined ? {} : { language }),
    ...(description === undefined ? {} : { description }),
  };
  if (from !== undefined && groups.length === 0) return { from, ...texts };
  if (from === undefined && groups.length > 0) return { groups, ...texts };
  const message =
    from === undefined
      ? 'nothing to make the lexicon of; give --from LEXICON, or groups with --group GROUP=FILE or --words GROUP=WORD,WORD'
      : '--from copies a whole lexicon; leave --group and --words out, and add groups with "lexicon update" afterwards';
  throw new AuditError('bad_argument', message);
}

export async function update(name: string, flags: UpdateFlags): Promise<void> {
  const { addGroup = [], words = [] } = flags;
  const given = {
    addGroups: [...addGroup, ...words],
    removeGroups: flags.removeGroup,
    addWords: flags.addWords,
    removeWords: flags.removeWords,
    addPairs: flags.addPair,
    removePairs: flags.removePair,
    language: flags.language,
    description: flags.description,
  };
  const changes = onlyGiven(given);
  const saved = await updateLexicon(name, changes);
  if (!flags.json) {
    for (const change of saved.changes) print(`${change}\n`);
  }
  tell(saved, saved.changes.length === 0 ? 'left as it was:' : 'changed', flags);
}

function tell(saved: SavedLexicon, done: string, { json }: { json?: boolean }): void {
  if (json) {
    const { lexicon, ...rest } = saved;
    print(formatJson({ ...rest, sha256: lexicon.sha256 }));
    return;
  }
  for (const warning of saved.warnings) warn(warning);
  const groups = saved.lexicon.groups
    .map(({ name, words }) => `${name} ${formatCount(words.length)}`)
    .join(', ');
  print(`${done} ${saved.file}: ${groups} words, ${formatCount(saved.lexicon.pairs.length)} pairs\n`);
  if (saved.overridesShipped) print(`it is used instead of the shipped lexicon ${saved.name}\n`);
}

export async function remove(name: string, { json }: { json?: boolean }): Promise<void> {
  const deleted = await deleteLexicon(name);
  if (json) {
    print(formatJson(deleted));
    return;
  }
  print(`deleted ${deleted.file}\n`);
  if (deleted.shippedRemains) print(`the shipped lexicon ${name} is used from now on\n`);
}
