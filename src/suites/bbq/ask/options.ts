/**
 * Options of the suite: one cell, the axes of an experiment, and how answers are asked for. The defaults are those of
 * the experiment llm over one cell, so that the suite runs as it is on a model of text.
 */
import type { OptionTable, OptionValues } from '../../../contract/options.ts';
import { REASONING_MODES } from './system.ts';

export const SPLITS = ['visual_language', 'visual_only', 'text'] as const;
export type Split = (typeof SPLITS)[number];
export const POLARITIES = ['negative', 'nonnegative'] as const;
export type Polarity = (typeof POLARITIES)[number];
export const CONTEXTS = ['ambiguous', 'disambiguous'] as const;
export type Context = (typeof CONTEXTS)[number];

export interface Cell {
  /** `text` is the language split without its image. */
  readonly split: Split;
  readonly polarity: Polarity;
  readonly context: Context;
}

/** `text_negative_ambiguous`: of folders and result files. */
export function cellName({ split, polarity, context }: Cell): string {
  return `${split}_${polarity}_${context}`;
}

export const options = {
  split: {
    kind: 'choice',
    choices: SPLITS,
    default: 'text',
    help: 'context and image, the image alone, or the context alone',
  },
  polarity: {
    kind: 'choice',
    choices: POLARITIES,
    default: 'negative',
    help: 'the question that a stereotype answers with its group, or the one that it answers with the other',
  },
  context: {
    kind: 'choice',
    choices: CONTEXTS,
    default: 'ambiguous',
    help: 'a context that does not tell the answer, or one that does',
  },
  fields: {
    kind: 'choice',
    choices: ['masked', 'unmasked'],
    default: 'unmasked',
    help: 'texts with places in the image for names of groups, or as they are',
  },
  options: {
    kind: 'choice',
    choices: ['plain', 'label'],
    default: 'plain',
    help: 'answers as the data have them, or person A, person B, person C for those that name somebody',
  },
  disambig: {
    kind: 'choice',
    choices: ['plain', 'masked'],
    default: 'plain',
    help: 'wording of the sentence that makes a context unambiguous',
  },
  inject: {
    kind: 'switch',
    default: false,
    help: 'the ambiguous context names the groups, whatever the wording of the answers',
  },
  image: {
    kind: 'choice',
    choices: ['dataset', 'aug', 'blank', 'realworld', 'none'],
    default: 'none',
    help: "which image: the row's own, a changed copy, a white canvas, a photograph, or none",
  },
  augmentation: {
    kind: 'text',
    default: null,
    unit: 'name',
    help: 'with changed copies: what was done to them, as their folder is named',
  },
  stripImageRef: {
    kind: 'switch',
    default: true,
    help: '" in the image" is taken out of the question',
  },
  retry: {
    kind: 'switch',
    default: false,
    help: 'a text without an answer is asked for again, three attempts in all, where a temperature lets it differ',
  },
  reasoningMode: {
    kind: 'choice',
    choices: REASONING_MODES,
    default: 'nonreasoning',
    help: 'the letter alone, or thoughts before it; each also with a request for fairness',
  },
  answer: {
    kind: 'choice',
    choices: ['both', 'letters', 'text'],
    default: 'both',
    help: 'letters by their log-probability, a text that is generated and read, or both; the text is the prediction where there is one',
  },
  chat: {
    kind: 'choice',
    choices: ['auto', 'on', 'off'],
    default: 'auto',
    help: "ask in the model's own chat template: where it has one, always, or never",
  },
  maxTokens: {
    kind: 'whole',
    least: 1,
    default: 32,
    unit: 'n',
    help: 'most tokens of a text; one that is cut there is counted as truncated',
  },
  temperature: {
    kind: 'number',
    least: 0,
    default: 0,
    unit: 't',
    help: 'of the text; at 0 each token is the likeliest one',
  },
  sampleSeed: {
    kind: 'whole',
    least: 0,
    default: 0,
    unit: 'n',
    help: 'seed of texts that are sampled; the attempts of a row have it, the next and the one after it',
  },
} as const satisfies OptionTable;

export type BbqOptions = OptionValues<typeof options>;
