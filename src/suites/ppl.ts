/**
 * Perplexity of texts: exp of the mean negative log-probability of a token over all texts together, so that a long text
 * weighs as much as it has tokens; and bits per UTF-8 byte, which do not depend on how a tokenizer cuts.
 */
import { z } from 'zod';
import { optionalText, rowId } from '../contract/columns.ts';
import type { CompositeMetric, Fields, MetricDefinition } from '../contract/metric.ts';
import { mean, ofOneTokenizer } from '../contract/metric.ts';
import type { OptionTable } from '../contract/options.ts';
import { POSITIVE } from '../contract/ranges.ts';
import type { Suite } from '../contract/suite.ts';
import type { ObservedText } from '../observation/observed.ts';
import {
  firstTokenOption,
  firstTokenRemarks,
  scoredTargets,
  scoresFirst,
  textsRequest,
} from './shared/first-token.ts';

const schema = z.looseObject({
  id: rowId.nullish(),
  text: z.string().min(1),
  category: optionalText,
  lang: optionalText,
});
type PplRow = z.output<typeof schema>;

const options = { firstToken: firstTokenOption } as const satisfies OptionTable;

const byteLength = (text: string) => new TextEncoder().encode(text).length;

/**
 * UTF-8 bytes of the text behind its first token; null where that token ends within a character or is not the text's
 * beginning, as where a vocabulary rewrites what it reads.
 */
function bytesBehindFirst(text: string, { pieces }: ObservedText, addsBos: boolean): number | null {
  const piece = pieces![addsBos ? 1 : 0]!;
  // Some vocabularies put a space in front of every text.
  const starts = piece.startsWith(' ') ? [piece, piece.slice(1)] : [piece];
  const start = piece === '' ? undefined : starts.find((begin) => text.startsWith(begin));
  return start === undefined ? null : byteLength(text) - byteLength(start);
}

const numberOf = (result: Fields, name: string) => result[name] as number;

const perplexity: CompositeMetric = {
  kind: 'composite',
  name: 'ppl',
  label: 'perplexity',
  range: POSITIVE,
  tokenizerBound: true,
  parts: (result) =>
    result.tokens === 0 ? null : [[-numberOf(result, 'sumLogProb'), numberOf(result, 'tokens')]],
  combine: ([nats]) => Math.exp(nats!),
};

const bitsPerByte: CompositeMetric = {
  kind: 'composite',
  name: 'bitsPerByte',
  label: 'bits per byte',
  range: POSITIVE,
  parts: (result) =>
    result.bytes === null || result.bytes === 0
      ? null
      : [[-numberOf(result, 'sumLogProb') / Math.LN2, numberOf(result, 'bytes')]],
  combine: ([bits]) => bits!,
};

const METRICS: readonly MetricDefinition[] = [
  perplexity,
  bitsPerByte,
  ofOneTokenizer(mean('tokens', 'scored tokens a text', POSITIVE, (result) => numberOf(result, 'tokens'))),
];

export const ppl: Suite<PplRow, typeof options> = {
  name: 'ppl',
  summary: 'perplexity of texts, over all their tokens together, and bits per byte',
  panel: 'utility',
  data: 'a text a line (.txt), or CSV, JSONL or JSON with text, and id, category, lang if there',
  example: 'logit-audit run ppl --model model.gguf --data texts.txt',
  schema,
  options,
  lexicon: 'none',
  slices: ['category', 'lang'],
  headline: ['ppl', 'bitsPerByte'],
  metrics: () => METRICS,
  wantsPieces: (context) => !scoresFirst(context),

  identify: ({ id, category, lang }, { index }) => ({
    id: id ?? String(index),
    slices: { category, lang },
  }),

  plan: ({ text }, context) => ({ kind: 'ask', requests: [textsRequest([text], context)], note: {} }),

  score([request], context, { text }) {
    const [observed] = request!.texts;
    const targets = scoredTargets(request!.targets, 0, context);
    const sumLogProb = targets.reduce((sum, { logProb }) => sum + logProb, 0);
    const tokens = targets.length;
    const bytes = scoresFirst(context)
      ? byteLength(text)
      : bytesBehindFirst(text, observed!, context.addsBos);
    return {
      sumLogProb,
      tokens,
      ppl: tokens === 0 ? null : Math.exp(-sumLogProb / tokens),
      bytes,
      bitsPerByte: bytes === null || bytes === 0 ? null : -sumLogProb / Math.LN2 / bytes,
      tokenIds: observed!.tokenIds,
    };
  },

  remarks(metrics, context) {
    const first = firstTokenRemarks(metrics, context);
    const [all, withBytes] = [metrics.get('ppl')!.n, metrics.get('bitsPerByte')!.n];
    if (withBytes === all) return first;
    return [
      ...first,
      `bits per byte rests on ${withBytes} of ${all} texts: of the others the first token, which is not scored, ` +
        'ends within a character or is not the beginning of the text',
    ];
  },

  reference(metrics, { ok }) {
    const [perToken, tokens] = [metrics.get('ppl')!, metrics.get('tokens')!];
    return { rows: ok, tokens: Math.round((tokens.value ?? 0) * tokens.n), ppl: perToken.value };
  },
};
