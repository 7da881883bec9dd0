/** Scales out of strangers' files: what their templates do, they do to a process of their own. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AuditError } from '../../../src/errors.ts';
import { writePersonas } from '../../../src/suites/scale/ask/index.ts';
import { loadScale, validateScale } from '../../../src/suites/scale/data/index.ts';
import { faultOf } from '../../fault.ts';
import { HOSTILE } from '../../prompt/hostile.ts';
import { temporaryFolder } from '../../temporary.ts';
import { TEA } from './tea.ts';

/** A scale whose template at a place is another one. */
function scaleWith(place: 'system' | 'ask' | 'sentence', template: string): string {
  const text = JSON.stringify(template);
  const change = {
    system: [/^ {2}system: \|\n[\s\S]*?(?=^ {2}ask:)/m, `  system: ${text}\n`],
    ask: [/^ {2}ask: .*$/m, `  ask: ${text}`],
    sentence: ['You drink {{ cups }} cups of tea a day.', text],
  }[place] as [RegExp | string, string];
  const path = join(temporaryFolder(), 'tea.yaml');
  writeFileSync(
    path,
    TEA.replace(change[0], () => change[1]),
  );
  return path;
}

const PEOPLE = Array.from({ length: 300 }, (_, at) => ({ Age: `${at}`, 'Cups a day': '3', Tea: 'green' }));
const TIERS = ['age', 'habits'];

/** What the run of a scale says of such a template. */
async function attacked(place: Parameters<typeof scaleWith>[0], template: string): Promise<AuditError> {
  const scale = loadScale(scaleWith(place, template));
  return await faultOf(scale.then((own) => writePersonas(own, PEOPLE, TIERS)));
}

/** One template of each kind; all of them are tried as templates of chats. */
const SOME = ['loops in loops', 'a refusal as long as a book'];
const MORE = [
  ...SOME,
  'a text that doubles',
  'a list that doubles',
  'a macro that calls itself',
  'JSON with such an indent',
  'a template of many megabytes',
  'white space that the parser goes back over',
  'a refusal with escape sequences',
];

describe.each([
  ['system', SOME],
  ['ask', SOME],
  ['sentence', MORE],
] as const)('a hostile template as %s', (place, names) => {
  it.concurrent.each(HOSTILE.filter(([name]) => names.includes(name)))('%s', async (_, template, limit) => {
    let turns = 0;
    const clock = setInterval(() => {
      turns += 1;
    }, 1);
    const error = await attacked(place, template);
    clearInterval(clock);
    expect(error).toBeInstanceOf(AuditError);
    expect(['template_failed', 'scale_invalid']).toContain(error.code);
    expect(error.message).toMatch(/personas\.(system|ask|parts\.habits\.0)/);
    expect(error.message.length).toBeLessThan(800);
    expect(error.message).not.toMatch(/\p{Cc}/u);
    // The event loop of this process was free.
    if (limit === 'time') expect(turns).toBeGreaterThan(50);
  });
});

it('a sentence that repeats itself is stopped before the personas fill the memory', async () => {
  const doubled =
    '{% set n = namespace(s=age) %}{% for i in range(18) %}{% set n.s = n.s ~ n.s %}{% endfor %}{{ n.s }}';
  const error = await attacked('sentence', doubled);
  expect(error.message).toMatch(
    /^personas\.parts\.habits\.0: it makes a text of \d+ characters each time, and is not tried any more$/,
  );
});

it('a text of its own length for each participant is none of that', async () => {
  const long = `{{ age }} ${'word '.repeat(20_000)}`;
  const scale = await loadScale(scaleWith('sentence', long));
  const { personas } = await writePersonas(scale, PEOPLE, TIERS);
  expect(personas.every(([, habits]) => habits!.user.length > 100_000)).toBe(true);
});

it('the report names the template, and no others for its sake', async () => {
  const path = scaleWith('system', '{{ (((((((('.repeat(100_000));
  const { faults } = await validateScale(path);
  expect(faults.map(({ path: at }) => at.join('.'))).toEqual(['personas.system']);
});

it('the process of one scale serves the next', async () => {
  const scale = await loadScale(scaleWith('ask', 'How are you, {{ scale.title }}?'));
  for (let round = 0; round < 3; round += 1) {
    const { personas } = await writePersonas(scale, PEOPLE.slice(0, 1), ['age']);
    expect(personas[0]![0]!.user).toBe('You are 0 years old.\n\nHow are you, Calm after tea?');
  }
});

it('is stopped by a cancellation', async () => {
  const scale = await loadScale(
    scaleWith('sentence', '{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}'),
  );
  const stop = new AbortController();
  const written = faultOf(writePersonas(scale, PEOPLE, TIERS, { signal: stop.signal }));
  stop.abort();
  expect((await written).code).toBe('cancelled');
});
