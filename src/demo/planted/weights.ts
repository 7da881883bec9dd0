/**
 * The planted numbers: the value of each token, the dimension by which each context is known, and the tensors
 * that these make. Everything is rounded to float32 here, once, and the expected values are worked out from the
 * rounded numbers.
 */

import { AuditError } from '../../errors.ts';
import { bigramLogit, type Context } from './bigram.ts';
import type { GgufTensor } from './gguf.ts';
import {
  CONSTANT,
  DIM,
  EMBEDDING,
  FEED_FORWARD,
  FLAG,
  GENDER_WEIGHT,
  HEAD_MATCH,
  HOT,
  HOT_DIMS,
  KEY_WEIGHT,
  LAST_NORM,
  QUERY_WEIGHT,
  RADIUS,
  VALUE_GAIN,
} from './layout.ts';
import type { Occupation } from './occupations.ts';
import type { Token, Vocabulary } from './vocabulary.ts';

/** A point on the value circle, in float32 numbers. */
export interface ValuePoint {
  readonly x: number;
  readonly y: number;
}

/** What is planted, before it becomes tensors. */
export interface Construction {
  /** Contexts by their dimension; index in [0, HOT_DIMS). */
  readonly contexts: readonly Context[];
  /** Dimension of each token's context; V indices into `contexts`. */
  readonly contextOf: Int32Array;
  /** contexts x V logits, row-major. */
  readonly bigram: Float32Array;
  /** Value of each token; V points. */
  readonly values: readonly ValuePoint[];
  /** 1 for an occupation, else 0; V flags. */
  readonly isOccupation: Uint8Array;
  /** Weight of the copied value in each token's logit: positive for female words, negative for male ones; V weights. */
  readonly genderWeight: Float32Array;
}

/** Value of a token that is no occupation: it moves no odds. */
const NEUTRAL: ValuePoint = { x: 0, y: Math.fround(RADIUS) };

/** Works out every planted number. */
export function construct(
  vocabulary: Vocabulary,
  occupations: readonly Occupation[],
  seed: number,
): Construction {
  const contexts = contextsOf(vocabulary);
  const index = new Map(contexts.map((context, dim) => [contextKey(context), dim]));
  const { tokens } = vocabulary;
  const points = new Map(occupations.map(({ word, shareOfWomen }) => [word, valuePoint(shareOfWomen)]));
  return {
    contexts,
    contextOf: Int32Array.from(
      tokens,
      (token) => index.get(contextKey(tokenContext(token, vocabulary))) ?? 0,
    ),
    bigram: Float32Array.from(
      contexts.flatMap((context) => tokens.map((token) => bigramLogit(seed, context, token))),
    ),
    values: tokens.map(({ word }) => (word?.part === 'occupation' && points.get(word.text)) || NEUTRAL),
    isOccupation: Uint8Array.from(tokens, ({ word }) => (word?.part === 'occupation' ? 1 : 0)),
    genderWeight: Float32Array.from(tokens, ({ word }) =>
      word?.gender === 'female' ? GENDER_WEIGHT : word?.gender === 'male' ? -GENDER_WEIGHT : 0,
    ),
  };
}

/**
 * The point whose first coordinate moves the log-odds of a female word against its male one by ln(share / (1 - share)):
 * they are x * VALUE_GAIN / LAST_NORM * (GENDER_WEIGHT - -GENDER_WEIGHT).
 */
function valuePoint(shareOfWomen: number): ValuePoint {
  const logOdds = Math.log(shareOfWomen / (1 - shareOfWomen));
  const x = Math.fround((logOdds * LAST_NORM) / (VALUE_GAIN * 2 * GENDER_WEIGHT));
  return { x, y: Math.fround(Math.sqrt(RADIUS * RADIUS - x * x)) };
}

/** The contexts that the table has rows for; all occupations share one, and so do the forms of a word. */
function contextsOf({ words }: Vocabulary): readonly Context[] {
  const firstOccupation = words.find(({ part }) => part === 'occupation');
  const contexts: Context[] = [
    'piece',
    'start',
    ...words.filter((word) => word.part !== 'occupation' || word === firstOccupation),
  ];
  if (contexts.length > HOT_DIMS) {
    throw new AuditError('internal', `${contexts.length} contexts do not fit into ${HOT_DIMS} dimensions`);
  }
  return contexts;
}

function tokenContext(token: Token, { bos }: Vocabulary): Context {
  return token.word ?? (token.id === bos ? 'start' : 'piece');
}

function contextKey(context: Context): string {
  if (typeof context === 'string') return `<${context}>`;
  return context.part === 'occupation' ? '<occupation>' : context.text;
}

/** The tensors of a llama model with one layer and one head, in the order of the file. */
export function tensorsOf(construction: Construction): readonly GgufTensor[] {
  const { contexts, contextOf, bigram, values, isOccupation, genderWeight } = construction;
  const vocabSize = contextOf.length;
  const embedding = matrix('token_embd.weight', vocabSize, EMBEDDING);
  const output = matrix('output.weight', vocabSize, EMBEDDING);
  for (let id = 0; id < vocabSize; id++) {
    embedding.set(id, contextOf[id]!, HOT);
    embedding.set(id, DIM.constant, CONSTANT);
    embedding.set(id, isOccupation[id] === 1 ? DIM.occupation : DIM.notOccupation, FLAG);
    embedding.set(id, DIM.valueX, values[id]!.x);
    embedding.set(id, DIM.valueY, values[id]!.y);
    // HOT / LAST_NORM = 1: the table's value is the logit.
    for (let dim = 0; dim < contexts.length; dim++) output.set(id, dim, bigram[dim * vocabSize + id]!);
    output.set(id, DIM.movedX, genderWeight[id]!);
  }

  const query = matrix('blk.0.attn_q.weight', EMBEDDING, EMBEDDING);
  const key = matrix('blk.0.attn_k.weight', EMBEDDING, EMBEDDING);
  const value = matrix('blk.0.attn_v.weight', EMBEDDING, EMBEDDING);
  const moved = matrix('blk.0.attn_output.weight', EMBEDDING, EMBEDDING);
  query.set(HEAD_MATCH, DIM.constant, QUERY_WEIGHT);
  key.set(HEAD_MATCH, DIM.occupation, KEY_WEIGHT);
  value.set(0, DIM.valueX, 1);
  value.set(1, DIM.valueY, 1);
  moved.set(DIM.movedX, 0, VALUE_GAIN);
  moved.set(DIM.movedY, 1, VALUE_GAIN);

  return [
    embedding.tensor,
    ones('output_norm.weight'),
    output.tensor,
    ones('blk.0.attn_norm.weight'),
    query.tensor,
    key.tensor,
    value.tensor,
    moved.tensor,
    ones('blk.0.ffn_norm.weight'),
    // The feed-forward part adds nothing.
    matrix('blk.0.ffn_gate.weight', FEED_FORWARD, EMBEDDING).tensor,
    matrix('blk.0.ffn_up.weight', FEED_FORWARD, EMBEDDING).tensor,
    matrix('blk.0.ffn_down.weight', EMBEDDING, FEED_FORWARD).tensor,
  ];
}

interface Matrix {
  readonly tensor: GgufTensor;
  set(row: number, column: number, value: number): void;
}

/** A zero matrix that gives `rows` numbers for `columns`. */
function matrix(name: string, rows: number, columns: number): Matrix {
  const data = new Float32Array(rows * columns);
  return {
    tensor: { name, dims: [columns, rows], data },
    set: (row, column, value) => {
      data[row * columns + column] = value;
    },
  };
}

function ones(name: string): GgufTensor {
  return { name, dims: [EMBEDDING], data: new Float32Array(EMBEDDING).fill(1) };
}
