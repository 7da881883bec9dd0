/**
 * Participants as chats: the sentences of a tier's parts, each rendered with a participant's values. A sentence that needs a
 * value that is missing is left out, so a persona never has a blank in it. Templates come out of the scale's file, so they are
 * rendered in a process that can be ended.
 */
import { AuditError } from '../../../errors.ts';
import { TextHost } from '../../../prompt/index.ts';
import {
  askedSubscales,
  bandRanges,
  foldLabel,
  type PersonaColumn,
  type Personas,
  placeOf,
  predictionKeys,
  type Scale,
  templatesOf,
} from '../data/index.ts';

/** What a model is given for a participant at a tier. */
export interface Persona {
  readonly system: string;
  readonly user: string;
  /** Variables without a value that sentences of the tier needed, in the order of the file. */
  readonly missing: readonly string[];
}

/** Values of a participant, by the columns of the file. */
export type Cells = Readonly<Record<string, unknown>>;

export interface PersonaOptions {
  /** Subscales to ask for; default: those that the scale says. */
  readonly asked?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface WrittenPersonas {
  /** What every chat begins with. */
  readonly system: string;
  /** By participant, and of each by tier. */
  readonly personas: readonly (readonly Persona[])[];
  /** Columns of the participants' file that the tiers use, in the order of the scale's file. */
  readonly columns: readonly string[];
}

/** Participants whose sentences are rendered at a time. */
const PARTICIPANTS = 256;

interface Sentence {
  /** Its place among the templates of the file. */
  readonly template: number;
  readonly names: readonly string[];
}

/** Values of a participant by the variables of the templates; null for what is missing. */
type Values = Readonly<Record<string, string | null>>;

/** Throws `bad_argument` for a scale that no model can be asked by, and for subscales that it does not have. */
export function checkPersonas(scale: Scale, asked?: readonly string[]): Personas {
  if (scale.personas === null || scale.tiers.length === 0) {
    const message = `scale ${scale.name} has no personas and tiers, so no model can be asked by it; add them to its file`;
    throw new AuditError('bad_argument', message, { scale: scale.name });
  }
  askedSubscales(scale, asked);
  return scale.personas;
}

/**
 * Every participant at every tier. Throws what {@link checkPersonas} throws, `bad_argument` for a tier that the scale does not
 * have, `template_failed` where a template fails, and `cancelled`.
 */
export async function writePersonas(
  scale: Scale,
  participants: readonly Cells[],
  tiers: readonly string[],
  { asked, signal }: PersonaOptions = {},
): Promise<WrittenPersonas> {
  const personas = checkPersonas(scale, asked);
  const partsOfTiers = tiers.map((tier) => partsOf(scale, tier));
  const templates = templatesOf(personas).map(({ path, source }) => ({ name: placeOf(path), path, source }));
  const host = new TextHost(templates.map(({ name, source }) => ({ name, source })));
  try {
    const sentences = (await host.names(signal)).map((names, template): Sentence => {
      if (names instanceof AuditError) throw names;
      return { template, names };
    });
    const ofPart = (part: string) =>
      sentences.filter(({ template }) => {
        const [, key, own] = templates[template]!.path;
        return key === 'parts' && own === part;
      });
    const ofTiers = partsOfTiers.map((parts) => parts.flatMap(ofPart));
    const used = [...new Set(ofTiers.flat())];
    const values = [namesOf(scale, asked)];
    const first = ['personas.system', 'personas.ask'].map((wanted) => ({
      template: templates.findIndex(({ name }) => name === wanted),
      values,
    }));
    const [system, ask] = (await host.render(first, signal)).flat().map((text) => text.trim());
    const written: Persona[][] = [];
    for (let start = 0; start < participants.length; start += PARTICIPANTS) {
      const people = participants
        .slice(start, start + PARTICIPANTS)
        .map((cells) => valuesOf(cells, personas));
      const texts = await textsOf(host, used, people, signal);
      const persona = (at: number, own: readonly Sentence[]): Persona => {
        const said = own.flatMap((sentence) => texts.get(sentence)![at] ?? []);
        const user = [...(said.length === 0 ? [] : [said.join('\n')]), ask].join('\n\n');
        const needed = new Set(own.flatMap(({ names }) => names));
        const missing = Object.entries(people[at]!).flatMap(([name, value]) =>
          value === null && needed.has(name) ? [name] : [],
        );
        return { system: system!, user, missing };
      };
      written.push(...people.map((_, at) => ofTiers.map((own) => persona(at, own))));
    }
    return { system: system!, personas: written, columns: columnsOf(personas, used) };
  } finally {
    await host.close();
  }
}

function partsOf(scale: Scale, tier: string): readonly string[] {
  const found = scale.tiers.find(({ name }) => name === tier);
  if (found !== undefined) return found.parts;
  const known = scale.tiers.map(({ name }) => name).join(', ');
  throw new AuditError('bad_argument', `scale ${scale.name} has no tier ${tier}; the tiers are ${known}`, {
    tier,
  });
}

function columnsOf({ columns }: Personas, used: readonly Sentence[]): string[] {
  const names = new Set(used.flatMap((sentence) => sentence.names));
  return Object.entries(columns).flatMap(([name, { column }]) => (names.has(name) ? [column] : []));
}

/** What each sentence says to each of the people; null where it needs what is missing, or says nothing. */
async function textsOf(
  host: TextHost,
  sentences: readonly Sentence[],
  people: readonly Values[],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<Sentence, readonly (string | null)[]>> {
  const able = sentences.map(({ names }) => people.filter((values) => hasAll(values, names)));
  const requests = sentences.map(({ template, names }, at) => ({
    template,
    values: able[at]!.map((values) => Object.fromEntries(names.map((name) => [name, values[name]]))),
  }));
  const rendered = await host.render(requests, signal);
  return new Map(
    sentences.map((sentence, at) => {
      const texts = rendered[at]!.values();
      const said = people.map((values) =>
        hasAll(values, sentence.names) ? texts.next().value!.trim() || null : null,
      );
      return [sentence, said];
    }),
  );
}

function hasAll(values: Values, names: readonly string[]): boolean {
  return names.every((name) => values[name] !== null);
}

function valuesOf(cells: Cells, { columns, missing }: Personas): Values {
  const nothing = new Set(['', ...missing.map(foldLabel)]);
  return Object.fromEntries(
    Object.entries(columns).map(([name, column]) => [name, cellValue(cells, column, nothing)]),
  );
}

/** Null for what says nothing, and for text where a number is to be rounded. */
function cellValue(
  cells: Cells,
  { column, decimals }: PersonaColumn,
  nothing: ReadonlySet<string>,
): string | null {
  const cell = Object.hasOwn(cells, column) ? cells[column] : null;
  const text = cell === null || cell === undefined ? '' : String(cell).trim();
  if (nothing.has(foldLabel(text))) return null;
  if (decimals === null) return text;
  const number = Number(text);
  if (!Number.isFinite(number)) return null;
  // -0.04 is 0.0, not -0.0.
  return (Number(number.toFixed(decimals)) + 0).toFixed(decimals);
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
