/** A row of the suite consistency: a prompt and its counterfactual, and what is known of the right answer. */
import { z } from 'zod';
import { optionalText, rowId } from '../../contract/columns.ts';
import { wordsOf } from './compare.ts';

/** A list; in CSV a text with "|" between the options. */
const optionList = z
  .union([z.array(z.string()), z.string()], {
    error: 'is no list of texts; give one, in CSV a text with "|" between the options',
  })
  .nullish()
  .transform((given) => {
    if (!given || given.length === 0) return null;
    return typeof given === 'string' ? given.split('|').map((option) => option.trim()) : given;
  })
  .refine((list) => list === null || (list.length >= 2 && list.every((option) => option.trim() !== '')), {
    error: 'holds fewer than two options, or an empty one; give two or more, in CSV with "|" between them',
  })
  .refine((list) => list === null || new Set(list).size === list.length, {
    error: 'holds the same option twice; give each once',
  });

const answerKey = z
  .union([z.string(), z.number()], { error: 'is neither a text nor a number' })
  .nullish()
  .transform((given) => (given === '' ? null : (given ?? null)));

/** What may be wrong with a column. */
interface Fault {
  readonly fault: string;
}

/** Place of a key among options: by their text, else by their number. */
function placeOf(key: string | number, options: readonly string[]): number | Fault {
  if (typeof key === 'string') {
    const named = [key, key.trim()].map((text) => options.indexOf(text)).find((place) => place >= 0);
    if (named !== undefined) return named;
  }
  // In CSV every cell is text.
  const place = typeof key === 'number' ? key : /^\s*\d+\s*$/.test(key) ? Number(key) : Number.NaN;
  if (Number.isInteger(place) && place >= 0 && place < options.length) return place;
  return {
    fault: `is ${JSON.stringify(key)}, which is none of the options; give the text of one, or its number from 0`,
  };
}

function textOf(key: string | number, options: readonly string[] | null): string | Fault {
  if (options !== null) {
    const place = placeOf(key, options);
    return typeof place === 'number' ? options[place]! : place;
  }
  if (wordsOf(String(key)).length > 0) return String(key);
  return { fault: 'has no word or number in it, by which an answer could be recognised' };
}

export const consistencyRow = z
  .looseObject({
    id: rowId.nullish(),
    x: optionalText,
    x_swap: optionalText,
    prompt: optionalText,
    prompt_swap: optionalText,
    options: optionList,
    options_swap: optionList,
    answer_key: answerKey,
    answer_key_swap: answerKey,
    occupation: optionalText,
    category: optionalText,
    template: optionalText,
  })
  .transform((row, { addIssue }) => {
    const { id, options, answer_key, occupation, category, template } = row;
    const fault = (column: string, message: string) => {
      addIssue({ code: 'custom', path: [column], message });
      return z.NEVER;
    };
    const [x, x_swap] = [row.x ?? row.prompt, row.x_swap ?? row.prompt_swap];
    if (x === null) return fault('x', 'is missing; give the prompt as x (or prompt)');
    if (x_swap === null) {
      return fault('x_swap', 'is missing; give the swapped prompt as x_swap (`logit-audit swap` makes it)');
    }
    if (x === x_swap) return fault('x_swap', 'is the same text as x; a pair must differ');
    if (row.options_swap !== null && options === null) {
      return fault('options_swap', 'is given, but options is not; give both');
    }
    // Without their own the options are the same on both sides.
    const options_swap = row.options_swap ?? options;
    if (options_swap?.length !== options?.length) {
      return fault('options_swap', 'has another number of options than options; give them in the same order');
    }
    const key = answer_key === null ? null : textOf(answer_key, options);
    if (key !== null && typeof key !== 'string') return fault('answer_key', key.fault);
    // Without its own the key is that of x: the same text, or the option at the same place.
    const otherKey =
      row.answer_key_swap ?? (key !== null && options !== null ? options.indexOf(key) : answer_key);
    const keySwap = otherKey === null ? null : textOf(otherKey, options_swap);
    if (keySwap !== null && typeof keySwap !== 'string') return fault('answer_key_swap', keySwap.fault);
    return { id, x, x_swap, options, options_swap, key, keySwap, occupation, category, template };
  });

/** The prompts; the options of either, alike in number; and the right answers as text. Null for what a row has not. */
export type ConsistencyRow = z.output<typeof consistencyRow>;
