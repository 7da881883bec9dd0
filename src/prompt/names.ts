/** The names that a template takes from outside of it: what whoever renders it must give. */
import { tokenize } from './jinja.ts';

interface Token {
  readonly type: string;
  readonly value: string;
}

// Words of the language, and what every rendering brings.
const OWN: ReadonlySet<string> = new Set(
  `if elif else endif for in endfor set endset macro endmacro call endcall filter endfilter break continue
   and or not is true false none True False None loop range namespace raise_exception strftime_now`.split(
    /\s+/,
  ),
);

/** Is it a word that a template cannot use as the name of a value? */
export function isTemplateWord(name: string): boolean {
  return OWN.has(name);
}

/**
 * The names, sorted, that stand for values in a template that can be parsed: no attributes, filters, tests or named
 * arguments, and nothing that the template sets itself.
 */
export function freeNames(source: string): string[] {
  const tokens = tokenize(source, { trim_blocks: true, lstrip_blocks: true }) as readonly Token[];
  const bound = new Set<string>();
  const names = new Set<string>();
  let binding: 'set' | 'for' | null = null;
  for (const [at, { type, value }] of tokens.entries()) {
    const before = tokens[at - 1];
    if (before?.type === 'OpenStatement' && (value === 'set' || value === 'for')) binding = value;
    // What is bound ends with "=" or "in".
    if (type === 'Equals' || type === 'CloseStatement' || (binding === 'for' && value === 'in'))
      binding = null;
    if (type !== 'Identifier' || OWN.has(value)) continue;
    if (binding !== null) bound.add(value);
    else if (!isNoValue(tokens, at)) names.add(value);
  }
  return [...names].filter((name) => !bound.has(name)).sort();
}

/** An attribute, a filter, a test or the name of an argument. */
function isNoValue(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1];
  if (before?.type === 'Dot' || before?.type === 'Pipe' || tokens[at + 1]?.type === 'Equals') return true;
  if (before?.type !== 'Identifier') return false;
  return before.value === 'is' || (before.value === 'not' && tokens[at - 2]?.value === 'is');
}
