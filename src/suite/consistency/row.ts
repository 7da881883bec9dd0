/** A row of the suite consistency: a prompt and its counterfactual, and what is known of the right answer. */
import { z } from 'zod';
import { optionalText, rowId } from '../columns.ts';

const text = z.string().min(1);

/** A list; in CSV a text with "|" between the options. */
const options = z
  .union([z.array(text), z.string()])
  .nullish()
  .transform((given) => {
    if (!given || given.length === 0) return null;
    return typeof given === 'string' ? given.split('|').map((option) => option.trim()) : given;
  })
  .refine((list) => list === null || (list.length >= 2 && list.every((option) => option !== '')), {
    error: 'holds fewer than two options, or an empty one; give two or more, in CSV with "|" between them',
  });

/** The text of an option, or in JSON its number from 0. */
const key = z
  .union([z.string(), z.int().min(0)])
  .nullish()
  .transform((given) => (given === '' ? null : (given ?? null)));

export const consistencyRow = z
  .looseObject({
    id: rowId,
    x: text.optional(),
    x_swap: text.optional(),
    prompt: text.optional(),
    prompt_swap: text.optional(),
    options,
    options_swap: options,
    answer_key: key,
    answer_key_swap: key,
    occupation: optionalText,
    category: optionalText,
  })
  .transform(({ x, x_swap, prompt, prompt_swap, ...rest }, context) => {
    const fault = (column: string, message: string) => {
      context.addIssue({ code: 'custom', path: [column], message });
      return z.NEVER;
    };
    const [first, second] = [x ?? prompt, x_swap ?? prompt_swap];
    if (first === undefined) return fault('x', 'is missing; give the prompt as x (or prompt)');
    if (second === undefined) {
      return fault('x_swap', 'is missing; give the swapped prompt as x_swap (`logit-audit swap` makes it)');
    }
    const { options: own, options_swap, answer_key, answer_key_swap } = rest;
    if (options_swap && options_swap.length !== own?.length) {
      return fault('options_swap', 'has another number of options than options; give them in the same order');
    }
    for (const [column, given] of Object.entries({ answer_key, answer_key_swap })) {
      const list = column === 'answer_key' ? own : (options_swap ?? own);
      if (typeof given === 'number' && given >= (list?.length ?? 0)) {
        return fault(column, `is ${given}, but there are ${list?.length ?? 0} options, numbered from 0`);
      }
      if (typeof given === 'string' && list && !list.includes(given)) {
        return fault(
          column,
          `is ${JSON.stringify(given)}, which is none of the options; give one of them, or its number`,
        );
      }
    }
    return { ...rest, x: first, x_swap: second };
  });
export type ConsistencyRow = z.output<typeof consistencyRow>;

/** The right answer of either side as text; null where the row has none. */
export function keysOf(row: ConsistencyRow): readonly [string | null, string | null] {
  const { options: own, options_swap, answer_key, answer_key_swap } = row;
  const textOf = (given: typeof answer_key, list: readonly string[] | null) =>
    typeof given === 'number' ? list![given]! : given;
  const lists = [own, options_swap ?? own] as const;
  const swapKey = answer_key_swap ?? (typeof answer_key === 'number' ? answer_key : null);
  // A key by its place is the place on both sides; a text is that of x unless the other is given.
  const place = typeof answer_key === 'string' && own ? own.indexOf(answer_key) : null;
  const other = swapKey === null && place !== null && place >= 0 ? place : (swapKey ?? answer_key);
  return [textOf(answer_key, lists[0]), textOf(other, lists[1])];
}
