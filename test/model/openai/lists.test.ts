/** Lists of likely tokens and echoed texts: read where they can be tied to text, refused where they cannot. */
import { describe, expect, it } from 'vitest';
import type { ListedStep } from '../../../src/observation/observation.ts';
import { faultOf } from '../../fault.ts';
import { byteLevel, choice, sentencePiece, when } from '../../server/oddities.ts';
import type { Brain, ListedLogProb } from '../../server/server.ts';
import { observe, openLoopback, textsOf } from './world.ts';

/** What the model says, the likeliest first. */
const ODDS: readonly (readonly [text: string, p: number])[] = [
  [' she', 0.6],
  [' he', 0.2],
  ['é', 0.05],
  ['\n', 0.02],
  ['she', 0.01],
];

interface Spelled {
  readonly name?: (text: string) => string;
  readonly bytes?: (text: string) => readonly number[];
  /** What is written, and what it is called where that is something else. */
  readonly said?: string;
  readonly text?: string;
}

const logprob = (p: number) => Math.log(p);

function brainOf({ name = (text) => text, bytes, said = ' she', text = said }: Spelled): Brain {
  const listed = ODDS.map(
    ([own, p]): ListedLogProb => ({
      token: name(own),
      logprob: logprob(p),
      ...(bytes ? { bytes: bytes(own) } : {}),
    }),
  );
  const chosen = listed.findIndex((_, at) => ODDS[at]![0] === said);
  // The server of the tests names what was written by the first of its list.
  const top = [listed[chosen]!, ...listed.filter((_, at) => at !== chosen)];
  return () => ({ text, top, outputTokens: 1 });
}

const textsIn = ({ tokens }: ListedStep) => tokens.map(({ text }) => text);
const ALL = ODDS.map(([text]) => text);
/** In columns the name of what was written is not that of the list, but its text. */
const named = (name: (text: string) => string) =>
  choice((own) => {
    const logprobs = own.logprobs as { tokens?: string[] } | null;
    return logprobs?.tokens ? { ...own, logprobs: { ...logprobs, tokens: logprobs.tokens.map(name) } } : own;
  });

const utf8 = (text: string) => [...Buffer.from(text)];
const READ: readonly (readonly [name: string, spelled: Spelled])[] = [
  ['texts', {}],
  ["GPT-2's spelling", { name: byteLevel }],
  ["SentencePiece's spelling", { name: (text) => (text === '\n' ? '<0x0A>' : sentencePiece(text)) }],
  ['bytes beside texts', { bytes: utf8 }],
  ["bytes beside GPT-2's spelling", { name: byteLevel, bytes: utf8 }],
  ["GPT-2's spelling, and its own bytes", { name: byteLevel, bytes: (text) => utf8(byteLevel(text)) }],
  ["SentencePiece's, the text without its space", { name: sentencePiece, text: 'she' }],
  ['texts, the text without its space', { text: 'she' }],
];

describe.each([
  ['chat', 'vllm', false],
  ['chat', 'vllm', true],
  ['completions', 'llama', false],
  ['completions', 'vllm', false],
  ['completions', 'vllm', true],
] as const)('lists of %s, as %s has them, streamed: %s', (api, style, stream) => {
  const columns = api === 'completions' && style === 'vllm';

  it.each(READ)('are read as %s', async (_, spelled) => {
    const { model } = await openLoopback(
      {
        brain: brainOf(spelled),
        style,
        oddities: columns ? [named(() => (spelled.name ?? String)(' she'))] : [],
      },
      { api, stream },
    );
    expect(model.capabilities.refused.topLogProbs).toBeUndefined();
    const [step] = await model.likeliest(['The nurse said that']);
    expect(textsIn(step!)).toEqual(ALL);
  });

  it.each([
    ['names of nothing that came', { name: (text: string) => `<${text}>` }, /cannot be tied to the text/],
    [
      'names without their spaces',
      { name: (text: string) => text.trimStart() },
      /cannot be tied to the text/,
    ],
    ['another text', { text: 'They' }, /what was written is named/],
    ['a text that is not the likeliest', { said: ' he' }, /is listed as the likeliest/],
  ] as const)('are refused with %s', async (_, spelled: Spelled, reason) => {
    const said = spelled.said ?? ' she';
    const { model } = await openLoopback(
      {
        brain: brainOf(spelled),
        style,
        oddities: columns ? [named(() => (spelled.name ?? String)(said))] : [],
      },
      { api, stream },
    );
    expect(model.capabilities.topLogProbs).toBe(0);
    expect(model.capabilities.refused.topLogProbs).toMatch(reason);
    expect(await faultOf(model.likeliest(['x']))).toMatchObject({ code: 'not_supported' });
  });

  it('that cannot be tied to the text of one row fail that row', async () => {
    const brain: Brain = (request) =>
      JSON.stringify(request.body).includes('odd')
        ? brainOf({ name: byteLevel })(request)
        : brainOf({ name: String })(request);
    const oddities = columns
      ? [when(({ request }) => JSON.stringify(request.body).includes('odd'), named(byteLevel))]
      : [];
    const { model } = await openLoopback({ brain, style, oddities }, { api, stream });
    expect(textsIn((await model.likeliest(['fine']))[0]!)).toEqual(ALL);
    expect(await faultOf(model.likeliest(['odd']))).toMatchObject({
      code: 'endpoint_refused',
      message: expect.stringContaining('cannot be tied to the text'),
    });
  });
});

describe('a list', () => {
  const top =
    (odds: readonly number[]): Brain =>
    () => ({
      text: ' a',
      top: odds.map((p, at) => ({ token: [' a', ' b', ' c', ' d', ' e'][at]!, logprob: Math.log(p) })),
      outputTokens: 1,
    });
  it.each([
    ['of what was chosen from', [1, 1e-9], /probability of 1/],
    ['of more than everything', [0.9, 0.5], /none of one distribution/],
    ['that was made to sum to 1', [0.5, 0.3, 0.1, 0.06, 0.04], /come to 1/],
    ['of logarithms that are none', [2, 1], /none of one distribution/],
  ])('%s is refused', async (_, odds, reason) => {
    const { model } = await openLoopback({ brain: top(odds) });
    expect(model.capabilities.refused.topLogProbs).toMatch(reason);
  });

  /** What stands where a server does not tell a log-probability. */
  const TAILS = [-9999, -3.4028234663852886e38, null] as unknown as number[];
  it.each(TAILS)('that was cut and made to sum to 1, filled with %s, is refused', async (tail) => {
    const brain: Brain = () => ({
      text: ' a',
      top: [' a', ' b', ' c', ' d'].map((token, at) => ({
        token,
        logprob: at < 2 ? Math.log([0.7, 0.3][at]!) : tail,
      })),
      outputTokens: 1,
    });
    const { model } = await openLoopback({ brain });
    expect(model.capabilities.refused.topLogProbs).toMatch(/come to 1/);
  });

  it.each(TAILS)('does not say that what it gives %s cannot be', async (tail) => {
    const brain: Brain = () => ({
      text: ' a',
      top: [' a', ' b', ' c'].map((token, at) => ({
        token,
        logprob: at < 2 ? Math.log([0.5, 0.2][at]!) : tail,
      })),
      outputTokens: 1,
    });
    const { model } = await openLoopback({ brain });
    const [step] = await model.likeliest(['x']);
    expect(textsIn(step!)).toEqual([' a', ' b']);
    expect(model.capabilities.topLogProbs).toBe(2);
    expect(step!.mostUnlisted).toBeCloseTo(Math.log(0.2), 9);
  });

  it('of twenty that was made to sum to 1 is refused, though its last ones are small', async () => {
    const odds = Array.from({ length: 20 }, (_, at) => Math.exp(-at / 2));
    const all = odds.reduce((sum, own) => sum + own, 0);
    const brain: Brain = () => ({
      text: ' a0',
      top: odds.map((own, at) => ({ token: ` a${at}`, logprob: Math.log(own / all) })),
      outputTokens: 1,
    });
    const { model } = await openLoopback({ brain });
    expect(model.capabilities.refused.topLogProbs).toMatch(/come to 1/);
  });

  it.each(['chat', 'completions'] as const)(
    'by %s whose names lack their spaces, as the text in front does, is refused',
    async (api) => {
      // A server that decodes each token by itself: its first name fits the text, which is without its space too.
      const words = [' four', ',', ' five', ',', ' six'];
      const names = words.map((word) => word.trimStart());
      const brain: Brain = ({ body }) => {
        const most = Number(body.max_completion_tokens ?? body.max_tokens);
        return {
          text: words.slice(0, most).join('').trimStart(),
          top: [
            { token: 'four', logprob: Math.log(0.6) },
            { token: 'five', logprob: Math.log(0.2) },
          ],
          outputTokens: Math.min(most, words.length),
        };
      };
      const all = choice((own) => {
        if (!own.logprobs) return own;
        const content = names.map((token) => ({
          token,
          logprob: Math.log(0.6),
          top_logprobs: [
            { token, logprob: Math.log(0.6) },
            { token: 'x', logprob: Math.log(0.2) },
          ],
        }));
        return { ...own, logprobs: { content } };
      });
      const { model } = await openLoopback({ brain, oddities: [all] }, { api });
      expect(model.capabilities.refused.topLogProbs).toMatch(/cannot be tied to the text/);
    },
  );

  it('whose names can be read in two ways is refused', async () => {
    // "x" is written the same in every spelling, and "Ġhe" is not.
    const brain: Brain = () => ({
      text: 'x',
      top: [
        { token: 'x', logprob: Math.log(0.6) },
        { token: 'Ġhe', logprob: Math.log(0.2) },
      ],
      outputTokens: 1,
    });
    const { model } = await openLoopback({ brain });
    expect(model.capabilities.refused.topLogProbs).toMatch(/can be read as .* which are not the same texts/);
  });
});

describe('an echo', () => {
  /** A model that knows the words of its texts: every token is a character with a log-probability of its own. */
  const oddsAt = (text: string, at: number) => -0.1 - (text.charCodeAt(at) % 7) / 10;
  const NEXT = ' four';
  const nextValue = -2.2;
  interface Echoes {
    readonly shift?: number;
    readonly lists?: boolean;
    readonly name?: (text: string) => string;
    readonly drop?: boolean;
  }
  /** Tokens are characters, and the continuation of the probe is one token. */
  function tokensOf(prompt: string): { token: string; logprob: number | null }[] {
    const given = prompt.endsWith(NEXT) ? prompt.slice(0, -NEXT.length) : prompt;
    const tokens = [...given].map((token, at) => ({ token, logprob: at === 0 ? null : oddsAt(given, at) }));
    return given === prompt ? tokens : [...tokens, { token: NEXT, logprob: nextValue }];
  }
  function echoing({ shift = 0, name = String, drop = false }: Echoes): Brain {
    return ({ body }) => {
      const prompt = String(body.prompt);
      const own = tokensOf(prompt);
      const echo = own.map(({ token }, at) => {
        const moved = own[at + shift]?.logprob ?? (at === 0 ? null : -1.7);
        return { token: name(token), logprob: drop && at === 3 ? null : moved };
      });
      return {
        text: body.max_tokens === 0 ? '' : NEXT,
        top: [{ token: name(NEXT), logprob: nextValue }],
        ...(body.echo ? { echo } : {}),
      };
    };
  }
  const score = { kind: 'score' as const, prompt: 'she', continuations: [' is'] };

  it.each([
    ['as texts', {}],
    ["in GPT-2's spelling", { name: byteLevel }],
    ["in SentencePiece's spelling", { name: sentencePiece }],
  ])('%s is exact', async (_, echoes: Echoes) => {
    const { name = String } = echoes;
    const written = choice((own) => {
      const logprobs = own.logprobs as { tokens?: string[] } | null;
      const [first] = logprobs?.tokens ?? [];
      return logprobs && first === NEXT ? { ...own, logprobs: { ...logprobs, tokens: [name(NEXT)] } } : own;
    });
    const { model } = await openLoopback(
      { brain: echoing(echoes), oddities: [written] },
      { api: 'completions' },
    );
    expect(model.capabilities.echo).toEqual({ maxTokens: 0 });
    const { scores } = await observe(model, [score]);
    const exact = [3, 4, 5].reduce((sum, at) => sum + oddsAt('she is', at), 0);
    expect(scores.logProb[0]).toBeCloseTo(exact, 9);
  });

  it.each([
    ['one place early', { shift: 1 }, /do not belong to their tokens/],
    ['one place late', { shift: -1 }, /do not belong to their tokens|has no log-probability/],
    ['two places early', { shift: 2 }, /do not belong to their tokens/],
    ['without one of them', { drop: true }, /token 3 has no log-probability/],
    ['of another text', { name: (text: string) => `${text}~` }, /give another text/],
  ])('%s is refused', async (_, echoes: Echoes, reason) => {
    const { model } = await openLoopback({ brain: echoing(echoes) }, { api: 'completions' });
    expect(model.capabilities.echo).toBeNull();
    expect(model.capabilities.refused.echo).toMatch(reason);
    expect(textsOf(await observe(model, [score]))[0]).toMatch(/^not_supported/);
  });

  it('is held against the lists beside it', async () => {
    const lists = (shift: number) =>
      choice((own) => {
        const logprobs = own.logprobs as { tokens: string[]; token_logprobs: (number | null)[] } | null;
        if (!logprobs || logprobs.tokens.length < 5) return own;
        const { tokens, token_logprobs: values } = logprobs;
        const tops = tokens.map((_, at) => {
          const [token, value] = [tokens[at + shift], values[at + shift]];
          return at === 0 || token === undefined || typeof value !== 'number' ? null : { [token]: value };
        });
        return { ...own, logprobs: { ...logprobs, top_logprobs: tops } };
      });
    const brain = echoing({});
    const right = await openLoopback({ brain, oddities: [lists(0)] }, { api: 'completions' });
    expect(right.model.capabilities.echo).toEqual({ maxTokens: 0 });
    for (const shift of [1, -1]) {
      const wrong = await openLoopback({ brain, oddities: [lists(shift)] }, { api: 'completions' });
      expect(wrong.model.capabilities.refused.echo).toMatch(/contradict the lists beside them/);
    }
  });
});
