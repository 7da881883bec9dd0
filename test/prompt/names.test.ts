/** What a template takes from outside of it. */
import { expect, test } from 'vitest';
import { isTemplateWord } from '../../src/prompt/index.ts';
import { freeNames } from '../../src/prompt/names.ts';

test.each<[template: string, names: string[]]>([
  ['no names', []],
  ['{{ b }} {{ a }} {{ b }}', ['a', 'b']],
  ["{% if a | lower != 'b c' and not d %}{{ e }}{% elif f %}{% else %}g{% endif %}", ['a', 'd', 'e', 'f']],
  ['{{ a.b.c }} {{ a["d"] }} {{ a[e] }}', ['a', 'e']],
  ['{% for x in xs %}{{ x }} {{ loop.index }} {{ y }}{% endfor %}', ['xs', 'y']],
  ['{% for k, v in pairs %}{{ k }}{{ v }}{% endfor %}', ['pairs']],
  ['{% set x = a %}{{ x }}', ['a']],
  ['{{ a is defined }} {{ b is not none }} {{ c | join(", ") | default(d) }}', ['a', 'b', 'c', 'd']],
  ['{{ range(n) }} {{ f(key=v) }} {{ a == b }}', ['a', 'b', 'f', 'n', 'v']],
  ['{# {{ comment }} #}{{ true and None }}', []],
])('%s', (template, names) => {
  expect(freeNames(template)).toEqual(names);
});

test('words of the language are no names of values', () => {
  expect(['if', 'not', 'loop', 'age'].map(isTemplateWord)).toEqual([true, true, true, false]);
});
