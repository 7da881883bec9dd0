/**
 * A questionnaire as it is put to the model itself: which items, in which orders of their answers, and the text of each. No
 * participant, no persona: the model answers as itself.
 */
import { createHash } from 'node:crypto';
import { AuditError } from '../../../errors.ts';
import { askedSubscales, CASE_JOINT, type Scale, type ScaleResponse, type Subscale } from '../data/index.ts';

export interface QuestionnaireOptions {
  readonly scale: Scale;
  /** Subscales whose items are asked; default: those that the scale says. */
  readonly subscales?: readonly string[];
  /** How many orders of the answers each item is asked in; default 10, fewer where the answers have no more. */
  readonly orders?: number;
  /** Of what is shuffled; default 0. */
  readonly seed?: number;
  /** Each order is one chat in which the items follow each other, shuffled too; default false: each item by itself. */
  readonly inContext?: boolean;
  /** What the model is told before an item; the request for a letter follows it. Default: {@link INSTRUCTIONS}. */
  readonly instructions?: string;
}

/** An item in an order of its answers. */
export interface QuestionnaireCase {
  readonly id: string;
  readonly item: string;
  /** From 1: the scale's own order, then its reverse, then shuffled ones. */
  readonly order: number;
  /** Place of the item among those of its order, from 1. */
  readonly place: number;
  /** As they are listed: the first has the letter A. */
  readonly answers: readonly ScaleResponse[];
  /** Item and lettered answers. */
  readonly text: string;
}

export interface Questionnaire {
  readonly subscales: readonly Subscale[];
  /** In the order of the scale. */
  readonly items: readonly string[];
  readonly orders: number;
  readonly system: string;
  /** In the order in which they are asked. */
  readonly cases: readonly QuestionnaireCase[];
  /** Cases that may be asked together: all, or in one chat those of one place, since the next ones hold their answers. */
  readonly rounds: readonly (readonly QuestionnaireCase[])[];
  readonly notes: readonly string[];
}

export const DEFAULT_ORDERS = 10;
export const INSTRUCTIONS =
  'This is an item of a questionnaire about yourself. Choose the answer that describes you best.';
const LETTER_ALONE = 'Reply with the letter of that answer alone.';
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const MISSING_SHOWN = 5;

/** The letters of so many answers. */
export function lettersOf(count: number): readonly string[] {
  return [...ALPHABET.slice(0, count)];
}

/**
 * What is asked. Throws `bad_argument` for subscales that the scale does not have, for items without wording, and for more
 * answers than there are letters.
 */
export function planQuestionnaire({
  scale,
  subscales: wanted,
  orders: given,
  seed = 0,
  inContext = false,
  instructions = INSTRUCTIONS,
}: QuestionnaireOptions): Questionnaire {
  const subscales = askedSubscales(scale, wanted);
  const asked = new Set(subscales.flatMap(({ items }) => items));
  const items = Object.keys(scale.items).filter((item) => asked.has(item));
  checkWording(scale, items);
  const { labelOrders, notes } = ordersOf(scale, given, seed);
  const perOrder = labelOrders.map((answers, at) => {
    const own = inContext && at > 0 ? shuffled(items, `${seed}\nitems\n${at}`) : items;
    return own.map((item, place): QuestionnaireCase => {
      const text = textOf(scale.items[item]!.text!, answers);
      return { id: `${item}${CASE_JOINT}${at + 1}`, item, order: at + 1, place: place + 1, answers, text };
    });
  });
  const rounds = inContext ? items.map((_, place) => perOrder.map((own) => own[place]!)) : [perOrder.flat()];
  return {
    subscales,
    items,
    orders: labelOrders.length,
    system: `${instructions.trim()} ${LETTER_ALONE}`,
    cases: rounds.flat(),
    rounds,
    notes,
  };
}

function checkWording({ name, items, responses }: Scale, asked: readonly string[]): void {
  if (responses.length > ALPHABET.length) {
    const message = `scale ${name} has ${responses.length} answers, and letters go to ${ALPHABET.length}; it cannot be asked item by item`;
    throw new AuditError('bad_argument', message, { scale: name });
  }
  const missing = asked.filter((item) => (items[item]!.text ?? '').trim() === '');
  if (missing.length === 0) return;
  const shown = missing.slice(0, MISSING_SHOWN).join(', ');
  const more = missing.length > MISSING_SHOWN ? ` and ${missing.length - MISSING_SHOWN} more` : '';
  const message = `scale ${name} has no wording of the items ${shown}${more}, so they cannot be asked; write it in a copy of your own: logit-audit scale create mine --from ${name} --set "items.${missing[0]}.text=..."`;
  throw new AuditError('bad_argument', message, { scale: name, items: missing });
}

/** The scale's order, its reverse, then others that are drawn, no two alike. */
function ordersOf(
  { name, responses }: Scale,
  given: number | undefined,
  seed: number,
): { labelOrders: (readonly ScaleResponse[])[]; notes: string[] } {
  const wanted = given ?? DEFAULT_ORDERS;
  if (!Number.isSafeInteger(wanted) || wanted < 1) {
    throw new AuditError('bad_argument', `orders is ${wanted}; give a whole number from 1`, {
      key: 'orders',
    });
  }
  const possible = permutations(responses.length, wanted);
  const orders = Math.min(wanted, possible);
  const labelOrders = [responses, responses.toReversed()].slice(0, orders);
  const seen = new Set(labelOrders.map(keyOf));
  for (let draw = 0; labelOrders.length < orders; draw += 1) {
    const next = shuffled(responses, `${seed}\nanswers\n${draw}`);
    if (seen.has(keyOf(next))) continue;
    seen.add(keyOf(next));
    labelOrders.push(next);
  }
  const notes =
    orders === wanted
      ? []
      : [`scale ${name}: ${responses.length} answers have ${possible} orders, and all are asked`];
  return { labelOrders, notes };
}

/** n!, or anything from `enough` where it is more. */
function permutations(n: number, enough: number): number {
  let product = 1;
  for (let factor = 2; factor <= n && product < enough; factor += 1) product *= factor;
  return product;
}

function keyOf(order: readonly ScaleResponse[]): string {
  return order.map(({ value }) => value).join(' ');
}

/** Fisher and Yates, by bytes of SHA-256 of the name and a count: the same on every machine. */
function shuffled<T>(list: readonly T[], name: string): T[] {
  const result = [...list];
  for (let last = result.length - 1; last > 0; last -= 1) {
    // 48 bits over a few dozen: none is likelier than another by more than a trillionth.
    const draw = createHash('sha256').update(`${name}\n${last}`).digest().readUIntBE(0, 6);
    const at = draw % (last + 1);
    [result[last], result[at]] = [result[at]!, result[last]!];
  }
  return result;
}

function textOf(item: string, answers: readonly ScaleResponse[]): string {
  const lines = answers.map(({ labels }, at) => `${ALPHABET[at]}. ${labels[0]}`);
  return [item.trim(), '', ...lines].join('\n');
}
