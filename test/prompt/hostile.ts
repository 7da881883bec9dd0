/** Templates that are meant to hurt: by time, memory, depth, length, and by what they say. */

const loop = (rounds: number, body: string) => `{% for i in range(${rounds}) %}${body}{% endfor %}`;
/** `n.s`, changed as often as said. */
const grow = (first: string, next: string, rounds: number) =>
  `{% set n = namespace(s=${first}) %}${loop(rounds, `{% set n.s = ${next} %}`)}`;
/** A text of four million characters. */
const LONG = grow("'x'", 'n.s ~ n.s', 22);
/** A list that names itself twice, sixty times over. */
const DAG = grow('[1, 1]', '[n.s, n.s]', 60);

/** Each with the limit that it runs into; null: it is refused or fails each time, at little cost. */
export const HOSTILE: readonly (readonly [name: string, template: string, limit: string | null])[] = [
  ['a huge range', loop(1e9, 'x'), null],
  ['a range that has no end', '{{ range(0, 1, 0) }}', null],
  ['a range in tiny steps', '{{ range(0, 1, 0.0000001) }}', null],
  ['loops in loops', loop(99_999, loop(99_999, loop(99_999, ''))), 'time'],
  ['a text that doubles', grow("'x'", 'n.s ~ n.s', 60), 'text'],
  ['a list that doubles', grow('[1]', 'n.s + n.s', 60), 'work'],
  ['a macro that calls itself', '{% macro a() %}{{ a() }}{% endmacro %}{{ a() }}', 'depth'],
  [
    'a macro that calls itself twice',
    '{% macro a(k) %}{% if k > 0 %}{{ a(k - 1) }}{{ a(k - 1) }}{% endif %}{% endmacro %}{{ a(60) }}',
    'time',
  ],
  ['a list of lists as JSON', `${DAG}{{ n.s | tojson }}`, 'time'],
  ['a list of lists as text', `${DAG}{{ n.s }}`, 'time'],
  ['a list of lists in a refusal', `${DAG}{{ raise_exception(n.s) }}`, 'time'],
  ['a deep list as JSON', `${grow('[]', '[n.s]', 90_000)}{{ n.s | tojson }}`, 'depth'],
  ['a namespace in itself', '{% set n = namespace() %}{% set n.a = n %}{{ n | tojson }}', 'depth'],
  ['an indent of half a gigabyte', "{{ 'a\\nb' | indent(500000000) }}", 'text'],
  ['JSON with such an indent', "{{ {'a': {'b': 1}} | tojson(indent=400000000) }}", 'memory'],
  ['a replacement between all characters', `${LONG}{{ n.s | replace('', n.s) }}`, 'memory'],
  ['a text joined by itself', `${LONG}{{ n.s | join(n.s) }}`, 'memory'],
  ['a text as upper and lower case', `${LONG}${loop(99_999, '{% set y = n.s | upper %}')}`, 'work'],
  [
    'a slice of a list in a loop',
    `{% set l = range(99999) %}${loop(99_999, '{% set y = l[::-1] %}')}`,
    'work',
  ],
  ['a list in brackets without end', `{{ ${'['.repeat(200_000)}`, 'depth'],
  ['parentheses', `{{ ${'('.repeat(100_000)}1${')'.repeat(100_000)} }}`, 'depth'],
  ['elif on elif', `{% if false %}${'{% elif false %}'.repeat(50_000)}{% endif %}`, 'depth'],
  ['a sum of many', `{{ 1${' + 1'.repeat(100_000)} }}`, 'depth'],
  ['white space that the parser goes back over', `${' '.repeat(900_000)}{{ 1 }}`, 'time'],
  ['a template of many megabytes', 'x'.repeat(30_000_000), 'size'],
  ['a refusal as long as a book', `${LONG}{{ raise_exception(n.s) }}`, null],
  ['a refusal with escape sequences', "{{ raise_exception('a\\x1b[31m\\nb') }}", null],
  ['a comment that does not end', `{#${'x'.repeat(100_000)}`, null],
  ['an unknown filter with a long name', `{{ messages | ${'f'.repeat(100_000)} }}`, null],
  [
    'the constructor of everything',
    '{{ messages.__proto__.constructor.constructor("return process")() }}',
    null,
  ],
];
