/**
 * Texts that a model goes on from in the request that wrote them: the numbers of a second request, whatever the model's
 * memory is like, and nothing where it cannot be.
 */
import { describe, expect, it } from 'vitest';
import { type LocalModel, openModel } from '../../src/model/index.ts';
import { mergeAnswers } from '../../src/observation/merge.ts';
import type {
  GenerateRequest,
  GenerationColumns,
  ObserveRequest,
} from '../../src/observation/observation.ts';
import { plantedFiles } from '../e2e/planted.ts';
import { faultOf } from '../fault.ts';
import { chatModel } from './chat-model.ts';
import { recurrentModel, windowModel } from './memories.ts';

/** Sums of up to 200 log-probabilities in float32, in batches of other shapes. */
const SUM_OF_MANY = 1e-4;
/** Of a few. */
const SUM_OF_FEW = 1e-5;

const then = { text: ' And so', maxTokens: 5 };

const generate = (prompt: string, more: Partial<GenerateRequest> = {}): GenerateRequest => ({
  kind: 'generate',
  prompt,
  maxTokens: 8,
  ...more,
});

const goingOn = (
  prompt: string,
  then: GenerateRequest['then'] & object,
  more: Partial<GenerateRequest> = {},
) => generate(prompt, { ...more, then });

/** What would be asked in the place of `then`. */
function asNext({ prompt, then: behind }: GenerateRequest, written: string): GenerateRequest {
  const { text, ...decoding } = behind!;
  return { kind: 'generate', prompt: `${prompt}${written}${text}`, ...decoding };
}

function apart(a: Float64Array, b: Float64Array): number {
  expect(a.length).toBe(b.length);
  return Math.max(0, ...a.map((value, at) => Math.abs(value - b[at]!)));
}

/** Texts as a reader of columns finds them, without their numbers. */
function words({ request, texts, finish, ids, offsets }: GenerationColumns) {
  return { request: [...request], texts, finish, ids: [...ids], offsets: [...offsets] };
}

const WORDS = ['the ', 'man ', 'late ', 'time ', 'she ', 'old ', 'year ', 'plumber '];
const WRITTEN = 'root ::= [a-z ]+';

/** The same prompts at every call. */
function author(seed: number) {
  let state = seed;
  const draw = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const text = (count: number) =>
    Array.from({ length: count }, () => WORDS[Math.floor(draw() * WORDS.length)]!).join('');
  return { draw, text };
}

/** Long texts behind two stems, and some probes of such. */
function company(seed: number): ObserveRequest[] {
  const { draw, text } = author(seed);
  const stems = [text(20), text(14)];
  return Array.from({ length: 16 }, (_, at): ObserveRequest => {
    const prompt = stems[at % 2]! + text(Math.floor(draw() * 16));
    if (draw() < 0.3) return { kind: 'probe', text: prompt };
    return generate(prompt, { maxTokens: 1 + Math.floor(draw() * 120), grammar: WRITTEN, then });
  });
}

describe.each([true, false])('with inProcess: %s', (inProcess) => {
  it('is told beside the generation, in columns of its own', async () => {
    await using model = await openModel((await plantedFiles()).model, { inProcess, threads: 1 });
    expect(model.goesOn).toBe(true);
    const window = [
      generate('The nurse said that'),
      generate('The plumber said that', { then, stepMetrics: true }),
      goingOn('The nurse', { ...then, temperature: 0.9, seed: 8 }, { temperature: 1.1, seed: 4 }),
    ];
    const observed = await model.observeWindow(window, {});
    const { generations, followed, sequences, rows, asked } = observed;
    expect([...generations.request]).toEqual([0, 1, 2]);
    expect([followed.generations, ...followed.request]).toEqual([2, 1, 2]);
    expect(asked.map((own) => own?.behind)).toEqual([undefined, ' And so', ' And so']);
    expect(sequences.sequences).toBe(3);
    expect(rows.rows).toBe(8);
    const next = [1, 2].map((at) => asNext(window[at]!, generations.texts[at]!));
    const second = await model.observeWindow(next, {});
    expect(words(followed)).toEqual({ ...words(second.generations), request: [1, 2] });
    expect(apart(followed.logProb, second.generations.logProb)).toBeLessThan(SUM_OF_FEW);
    const bare = await model.observeWindow(
      window.map(({ then: _, ...request }) => request),
      {},
    );
    const apartDecoded = bare.decodedTokens + second.decodedTokens - observed.decodedTokens;
    expect(apartDecoded).toBeGreaterThan(12);
  });
});

it('counts windows that are merged as one', async () => {
  await using model = await openModel((await plantedFiles()).model, { inProcess: true, mode: 'exact' });
  const window = [generate('The nurse', { then }), generate('The chef'), generate('The plumber', { then })];
  const { asked: _, ...whole } = await model.observeWindow(window, {});
  const parts = [];
  for (const request of window) parts.push(await model.observeWindow([request], {}));
  const merged = mergeAnswers(parts);
  expect(merged.followed).toEqual(whole.followed);
  expect([...merged.followed.request]).toEqual([0, 2]);
});

describe('chats', () => {
  const CHATML =
    '{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}';
  const chat = (content: string, append?: string): GenerateRequest['prompt'] => ({
    messages: [{ role: 'user', content }],
    ...(append === undefined ? {} : { append }),
  });
  const ask = (prompt: GenerateRequest['prompt'], more: Partial<GenerateRequest> = {}) => ({
    ...generate('', { maxTokens: 12, grammar: 'root ::= [a-z ]+', ...more }),
    prompt,
  });

  it('go on behind the start of the answer, in the places of a window of which one cannot be rendered', async () => {
    await using model = await openModel(chatModel(CHATML), { inProcess: true, threads: 1 });
    const window = [
      ask(chat('a </s> b'), { then }),
      ask(chat('Who?', 'Well, '), { then }),
      ask(chat('What?')),
    ];
    const { failures, generations, followed } = await model.observeWindow(window, {});
    expect(failures.map(({ request }) => request)).toEqual([0]);
    expect([...followed.request]).toEqual([1]);
    const next = ask(chat('Who?', `Well, ${generations.texts[0]}${then.text}`), {
      maxTokens: then.maxTokens,
      grammar: '',
    });
    const second = await model.observeWindow([next], {});
    expect(followed.texts).toEqual(second.generations.texts);
    expect(apart(followed.logProb, second.generations.logProb)).toBeLessThan(SUM_OF_FEW);
  });

  it('do not, where the answer holds what would end it: who asks on is told', async () => {
    await using model = await openModel(chatModel(CHATML), { inProcess: true, threads: 1 });
    const grammar = 'root ::= "<|im_end" "|>"';
    const window = [ask(chat('Who?'), { grammar, maxTokens: 20, then })];
    const { failures, generations, followed } = await model.observeWindow(window, {});
    expect([generations.texts[0], failures.length, followed.generations]).toEqual(['<|im_end|>', 0, 0]);
    const next = ask(chat('Who?', `${generations.texts[0]}${then.text}`));
    expect((await model.observeWindow([next], {})).failures[0]).toMatchObject({ code: 'bad_argument' });
  });
});

describe('a memory', () => {
  /** What both modes give; they must agree where both tell. */
  async function bothModes(path: string, seeds: readonly number[]) {
    const open = (mode: 'exact' | 'fast') =>
      openModel(path, { inProcess: true, threads: 1, batch: 16, mode });
    await using exact = await open('exact');
    await using fast = await open('fast');
    const counts = { asked: 0, followed: 0, decoded: 0, naive: 0, anew: 0 };
    for (const seed of seeds) await compare(exact, fast, company(seed), counts);
    return counts;
  }

  async function compare(
    exact: LocalModel,
    fast: LocalModel,
    window: readonly ObserveRequest[],
    counts: Record<'asked' | 'followed' | 'decoded' | 'naive' | 'anew', number>,
  ): Promise<void> {
    const alone = await exact.observeWindow(window, {});
    const together = await fast.observeWindow(window, {});
    expect(together.failures).toEqual(alone.failures);
    expect(words(together.generations)).toEqual(words(alone.generations));
    expect(apart(together.generations.logProb, alone.generations.logProb)).toBeLessThan(SUM_OF_MANY);
    expect(apart(together.rows.entropy, alone.rows.entropy)).toBeLessThan(SUM_OF_MANY);
    const places = [...together.followed.request].map((request) => alone.followed.request.indexOf(request));
    expect(together.followed.texts).toEqual(places.map((at) => alone.followed.texts[at]));
    const logProbs = Float64Array.from(places, (at) => alone.followed.logProb[at]!);
    expect(apart(together.followed.logProb, logProbs)).toBeLessThan(SUM_OF_FEW);
    expect(alone.decodedTokens).toBe(alone.naiveTokens);
    counts.asked += alone.followed.generations;
    counts.followed += together.followed.generations;
    counts.decoded += together.decodedTokens;
    counts.naive += together.naiveTokens;
    counts.anew += alone.decodedTokens;
  }

  it('of a recurrent state, which cannot be cut: decoded anew', async () => {
    const { asked, followed, decoded, naive, anew } = await bothModes(recurrentModel(), [1, 2]);
    expect([followed, decoded, naive]).toEqual([asked, naive, anew]);
    expect(asked).toBeGreaterThan(15);
  });

  it('of a window: cut, but where it has let go of what would be missed', async () => {
    const { asked, followed, decoded, naive } = await bothModes(windowModel(), [1, 2, 3, 4, 5, 6]);
    expect(followed).toBeGreaterThan(asked / 2);
    expect(followed).toBeLessThan(asked);
    expect(decoded).toBeLessThan(0.6 * naive);
  });
});

it.each([
  ['and so', 'then'],
  [{ maxTokens: 4 }, 'then.text'],
  [{ text: 'x', maxTokens: 0 }, 'then.maxTokens'],
  [{ text: 'x', temperature: -1 }, 'then.temperature'],
  [{ text: 'x', stop: ['y', ''] }, 'then.stop.1'],
])('a request to go on with %o is refused, naming %s', async (wrong, key) => {
  await using model = await openModel((await plantedFiles()).model, { inProcess: true });
  const request = goingOn('The', wrong as GenerateRequest['then'] & object);
  const error = await faultOf(model.observeWindow([generate('The'), request], {}));
  expect([error.code, error.data]).toEqual(['bad_argument', { request: 1, key }]);
});

it('an unknown word in it is refused by name too', async () => {
  await using model = await openModel((await plantedFiles()).model, { inProcess: true });
  const wrong = { ...then, maxToken: 5 };
  const error = await faultOf(model.observeWindow([goingOn('The', wrong)], {}));
  expect([error.code, error.data.key]).toEqual(['bad_argument', 'then']);
  expect(error.message).toContain('maxToken');
});
