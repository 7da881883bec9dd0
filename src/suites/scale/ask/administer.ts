/** The requests that an item becomes, and what their observations say it was answered. */

import type { Fields } from '../../../contract/metric.ts';
import type { GenerateRequest, ObserveRequest, ScoreRequest } from '../../../observation/observation.ts';
import type { ObservedRequest } from '../../../observation/observed.ts';
import { parseLetter } from '../../../parse/index.ts';
import { isTruncated } from '../../shared/answer/ask.ts';
import { itemScore, responseValue, reverseValue, type Scale, type ScaleResponse } from '../data/index.ts';
import { seedOf } from './ask.ts';
import { lettersOf, type QuestionnaireCase } from './questionnaire.ts';

/** How items are asked, and which answer counts. */
export interface AdministerAsking {
  /** The likeliest of the letters, or what a text of the model says. */
  readonly answer: 'letters' | 'text';
  /** The letters' probabilities are read; of endpoints they mostly cannot be. */
  readonly letters: boolean;
  readonly chat: boolean;
  readonly maxTokens: number;
  readonly temperature: number;
  readonly topP: number;
  readonly sampleSeed: number;
}

/** An item that was answered before, in the same chat. */
export interface EarlierItem {
  readonly text: string;
  /** What the model answered, as it stands in the chat. */
  readonly answer: string;
}

/** The text in front of an item: the same for all of them, and those before it. */
export interface ItemContext {
  readonly system: string;
  readonly earlier: readonly EarlierItem[];
}

/** An item as it was answered: a row of the journal. */
export interface ItemAnswer extends Fields {
  readonly place: number;
  /** The answers' values as they were listed. */
  readonly listed: readonly number[];
  /** The label that counts; null where the model gave none. */
  readonly answer: string | null;
  /** Where it stood in the list, from 1. */
  readonly position: number | null;
  /** What it counts, and what it adds to its subscales: the other way round of a reversed item. */
  readonly value: number | null;
  readonly score: number | null;
  /** The text declines to answer. */
  readonly refused: boolean;
  readonly text: string;
  readonly finish: string;
  readonly truncated: boolean;
  readonly textAnswer: string | null;
  /** How the text was read: `ok`, `refusal`, or why no answer could be read. */
  readonly reading: string;
}

/** Of a model whose next-token distribution can be read. */
export interface LetterAnswer extends Fields {
  readonly letterAnswer: string;
  /** What all letters have of the whole distribution. */
  readonly letterMass: number;
  /** By the value of the answer, summing to 1. */
  readonly probabilities: Readonly<Record<string, number>>;
  /** The mean of the item's score under them. */
  readonly expectedScore: number;
}

function promptOf(text: string, { system, earlier }: ItemContext, chat: boolean): GenerateRequest['prompt'] {
  if (!chat) {
    const before = earlier.map((item) => `${item.text}\n\nAnswer: ${item.answer}\n\n`).join('');
    return `${system}\n\n${before}${text}\n\nAnswer:`;
  }
  return {
    messages: [
      { role: 'system', content: system },
      ...earlier.flatMap((item) => [
        { role: 'user', content: item.text } as const,
        { role: 'assistant', content: item.answer } as const,
      ]),
      { role: 'user', content: text },
    ],
    closeThink: true,
  };
}

/** A text, and where they can be read the letters. */
export function itemRequests(
  { id, text, answers }: QuestionnaireCase,
  context: ItemContext,
  { letters, chat, maxTokens, temperature, topP, sampleSeed }: AdministerAsking,
): ObserveRequest[] {
  const prompt = promptOf(text, context, chat);
  const offered = lettersOf(answers.length);
  const roles = { letters: offered.join('') };
  const generate: GenerateRequest = {
    kind: 'generate',
    prompt,
    maxTokens,
    temperature,
    topP,
    seed: temperature === 0 ? 0 : seedOf(sampleSeed, id),
    // A model without turns continues with a next item.
    ...(chat ? {} : { stop: ['\n'] }),
    roles,
  };
  const space = chat ? '' : ' ';
  const score: ScoreRequest = {
    kind: 'score',
    prompt,
    continuations: offered.map((letter) => `${space}${letter}`),
    roles,
  };
  return letters ? [generate, score] : [generate];
}

/** What came of {@link itemRequests}. */
export function readItem(
  scale: Scale,
  { item, place, answers }: QuestionnaireCase,
  [written, scored]: readonly ObservedRequest[],
  { answer: counts }: Pick<AdministerAsking, 'answer'>,
): ItemAnswer & Partial<LetterAnswer> {
  const generation = written!.generation!;
  const { index, reading } = readText(scale, generation.text, answers);
  const labelAt = (at: number | null) => (at === null ? null : answers[at]!.labels[0]!);
  const letters = scored === undefined ? null : readLetters(scale, item, scored, answers);
  const at = counts === 'letters' ? letters!.index : index;
  const answer = labelAt(at);
  return {
    place,
    listed: answers.map(({ value }) => value),
    answer,
    position: at === null ? null : at + 1,
    value: responseValue(scale, answer),
    score: itemScore(scale, item, answer),
    refused: reading === 'refusal',
    ...(letters === null ? {} : { letterAnswer: labelAt(letters.index)!, ...letters.fields }),
    text: generation.text,
    finish: generation.finish,
    truncated: isTruncated(generation),
    textAnswer: labelAt(index),
    reading,
  };
}

/** Which answer a text gives; "I cannot know" declines, for no answer of a scale says so. */
function readText(
  scale: Scale,
  text: string,
  answers: readonly ScaleResponse[],
): { index: number | null; reading: string } {
  // A label by itself, in any of its spellings, means what it means in a file of answers.
  const value = responseValue(scale, text.replace(/[\s.!"'*]+$/u, '').replace(/^[\s"'*]+/u, ''));
  if (value !== null) return { index: answers.findIndex((one) => one.value === value), reading: 'ok' };
  const found = parseLetter(text, {
    labels: lettersOf(answers.length),
    parser: 'anchored',
    options: answers.map(({ labels }) => labels[0]!),
  });
  if (found.status === 'unknown') return { index: null, reading: 'refusal' };
  return { index: found.index, reading: found.reason ?? 'ok' };
}

function readLetters(
  scale: Scale,
  item: string,
  { scores }: ObservedRequest,
  answers: readonly ScaleResponse[],
): { index: number; fields: Pick<LetterAnswer, 'letterMass' | 'probabilities' | 'expectedScore'> } {
  const logProbs = answers.map((_, side) => scores.find((score) => score.side === side)!.logProb);
  const most = Math.max(...logProbs);
  const weights = logProbs.map((logProb) => Math.exp(logProb - most));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const shares = weights.map((weight) => weight / sum);
  const reversed = scale.items[item]!.reversed;
  const expectedScore = answers.reduce(
    (total, { value }, at) => total + shares[at]! * (reversed ? reverseValue(scale, value) : value),
    0,
  );
  // By value, whatever the order of the list, so that all rows have the same columns.
  const byValue = scale.responses.map(({ value }) => [
    String(value),
    shares[answers.findIndex((one) => one.value === value)]!,
  ]);
  return {
    index: logProbs.indexOf(most),
    fields: { letterMass: Math.exp(most) * sum, probabilities: Object.fromEntries(byValue), expectedScore },
  };
}
