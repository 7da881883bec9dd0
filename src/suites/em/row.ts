/** Rows of GSM8K (question, answer with ####), of MATH (problem, solution with \boxed) and plain ones (prompt, answer). */
import { z } from 'zod';
import { optionalText, rowId } from '../../contract/columns.ts';
import { normaliseAnswer } from '../shared/answer/normalise.ts';
import { goldAnswer } from './answer.ts';

/** Text, or in JSON a number. */
const answerText = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((value) => (value == null || value === '' ? null : String(value)));

export const schema = z
  .looseObject({
    id: rowId.nullish(),
    prompt: optionalText,
    question: optionalText,
    problem: optionalText,
    answer: answerText,
    gold: answerText,
    solution: answerText,
    category: optionalText,
    lang: optionalText,
    level: answerText,
  })
  .transform((row, { addIssue }) => {
    const prompt = row.prompt ?? row.question ?? row.problem;
    const said = row.answer ?? row.gold ?? row.solution;
    const gold = said === null ? '' : goldAnswer(said);
    const fault = (path: string, message: string) => {
      addIssue({ code: 'custom', path: [path], message });
      return z.NEVER;
    };
    if (prompt === null) return fault('prompt', 'is missing; give prompt, question or problem');
    if (said === null) return fault('answer', 'is missing; give answer, gold or solution');
    if (normaliseAnswer(gold) === '') return fault('answer', 'holds no answer');
    const { id, category, lang, level } = row;
    return { id: id ?? null, prompt, gold, category, lang, level };
  });

export type EmRow = z.output<typeof schema>;
