/**
 * A participant as a chat: the sentences of a tier's parts, each rendered with the participant's values. A sentence that
 * needs a value that is missing is left out, so a persona never has a blank in it.
 */
import { AuditError } from '../../errors.ts';
import { ChatTemplate, freeNames } from '../../prompt/index.ts';
import {
  askedSubscales,
  bandRanges,
  foldLabel,
  type PersonaColumn,
  type Personas,
  predictionKeys,
  type Scale,
} from '../../scale/index.ts';

/** What a model is given for a participant at a tier. */
export interface Persona {
  readonly system: string;
  readonly user: string;
  /** Variables without a value that sentences of the tier needed, in the order of the file. */
  readonly missing: readonly string[];
}

interface Sentence {
  readonly template: ChatTemplate;
  readonly names: readonly string[];
}

/** Values of a participant, by the columns of the file. */
export type Cells = Readonly<Record<string, unknown>>;

/** The templates of a scale, parsed once. */
export class PersonaWriter {
  /** What every chat begins with. */
  readonly system: string;
  readonly #ask: string;
  readonly #personas: Personas;
  readonly #tiers: ReadonlyMap<string, readonly Sentence[]>;
  readonly #missing: ReadonlySet<string>;

  /** Throws `bad_argument` for a scale without personas and for `asked` that are no subscales, `template_failed`. */
  constructor(scale: Scale, asked?: readonly string[]) {
    const { personas } = scale;
    if (personas === null || scale.tiers.length === 0) {
      const message = `scale ${scale.name} has no personas and tiers, so no model can be asked by it; add them to its file`;
      throw new AuditError('bad_argument', message, { scale: scale.name });
    }
    this.#personas = personas;
    const names = namesOf(scale, asked);
    this.system = whole(personas.system, 'personas.system', names);
    this.#ask = whole(personas.ask, 'personas.ask', names);
    const parts = new Map(
      Object.entries(personas.parts).map(([part, sentences]) => [part, sentences.map(toSentence(part))]),
    );
    this.#tiers = new Map(
      scale.tiers.map(({ name, parts: own }) => [name, own.flatMap((part) => parts.get(part)!)]),
    );
    this.#missing = new Set(['', ...personas.missing.map(foldLabel)]);
  }

  /** Columns of the participants' file that a tier tells of, in the order of the scale's file. */
  columnsOf(tier: string): string[] {
    const names = new Set(this.#sentences(tier).flatMap((sentence) => sentence.names));
    const { columns } = this.#personas;
    return Object.entries(columns).flatMap(([name, { column }]) => (names.has(name) ? [column] : []));
  }

  /** Throws `template_failed` where a template fails on these values. */
  write(cells: Cells, tier: string): Persona {
    const sentences = this.#sentences(tier);
    const values = new Map(
      Object.entries(this.#personas.columns).map(([name, column]) => [name, this.#value(cells, column)]),
    );
    const missing = new Set<string>();
    const told = sentences.flatMap(({ template, names }) => {
      const absent = names.filter((name) => values.get(name) === null);
      for (const name of absent) missing.add(name);
      if (absent.length > 0) return [];
      const variables = Object.fromEntries(names.map((name) => [name, values.get(name)]));
      const text = template.render(variables).text.trim();
      return text === '' ? [] : [text];
    });
    const user = told.length === 0 ? this.#ask : `${told.join('\n')}\n\n${this.#ask}`;
    return { system: this.system, user, missing: [...values.keys()].filter((name) => missing.has(name)) };
  }

  #sentences(tier: string): readonly Sentence[] {
    const sentences = this.#tiers.get(tier);
    if (sentences !== undefined) return sentences;
    throw new AuditError(
      'bad_argument',
      `there is no tier ${tier}; the tiers are ${[...this.#tiers.keys()].join(', ')}`,
      {
        tier,
      },
    );
  }

  /** Null for what says nothing, and for text where a number is to be rounded. */
  #value(cells: Cells, { column, decimals }: PersonaColumn): string | null {
    const cell = Object.hasOwn(cells, column) ? cells[column] : null;
    const text = cell === null || cell === undefined ? '' : String(cell).trim();
    if (this.#missing.has(foldLabel(text))) return null;
    if (decimals === null) return text;
    const number = Number(text);
    if (!Number.isFinite(number)) return null;
    // -0.04 is 0.0, not -0.0.
    return (Number(number.toFixed(decimals)) + 0).toFixed(decimals);
  }
}

function toSentence(part: string): (source: string, index: number) => Sentence {
  return (source, index) => ({
    template: new ChatTemplate(source, { name: `personas.parts.${part}.${index}` }),
    names: freeNames(source),
  });
}

function whole(source: string, name: string, names: Readonly<Record<string, unknown>>): string {
  return new ChatTemplate(source, { name }).render(names).text.trim();
}

/** What `system` and `ask` may name. */
function namesOf(scale: Scale, asked: readonly string[] | undefined): Readonly<Record<string, unknown>> {
  const { name, title } = scale;
  return {
    scale: { name, title },
    subscales: askedSubscales(scale, asked).map((subscale) => ({
      name: subscale.name,
      title: subscale.title,
      min: subscale.min,
      max: subscale.max,
      bands: bandRanges(subscale).map(({ name: band, first, last }) => ({
        name: band,
        first,
        last,
        range: first === last ? String(first) : `${first} to ${last}`,
      })),
    })),
    keys: predictionKeys(scale, asked),
  };
}
