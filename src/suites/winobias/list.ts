/** What the name of one of WinoBias's files says of its lines. */
export interface List {
  /** Whether the pronouns are as the stereotype has them. */
  readonly list: 'pro' | 'anti';
  readonly type: 'type1' | 'type2';
  readonly split: 'dev' | 'test';
}

const NAME = '(pro|anti)_stereotyped_(type[12])\\.txt\\.(dev|test)$';

/** Names of the files. */
export const LIST_FILES = new RegExp(`^${NAME}`);
const LIST_PATH = new RegExp(`(?:^|[/\\\\])${NAME}`);

export const LIST_FILES_LIKE = 'pro_stereotyped_type1.txt.dev (pro or anti, type1 or type2, dev or test)';

/** Null for a file of another name. */
export function listOf(file: string): List | null {
  const [, list, type, split] = LIST_PATH.exec(file) ?? [];
  if (list === undefined) return null;
  return { list, type, split } as List;
}

/** The last part of a path. */
export function baseName(file: string): string {
  return file.split(/[/\\]/).at(-1)!;
}
