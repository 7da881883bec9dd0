/** What a run of a scale asks: a case for each participant and tier, and what can be told of it without the model. */

import { AuditError } from '../../../errors.ts';
import {
  checkChoice,
  drawNumber,
  partOfData,
  type SampleChoice,
  type SampleDescription,
} from '../../../run/sample.ts';
import { answerGrammar, checkPersonas, type WrittenPersonas, writePersonas } from '../ask/index.ts';
import { CASE_JOINT, type Scale } from '../data/index.ts';
import { type Participant, type Participants, readParticipants } from './participants.ts';
import type { ScaleCase } from './suite.ts';

/** Which participants and tiers a run of a scale is about. */
export interface ScaleCasesOptions {
  readonly scale: Scale;
  /** Table of participants, CSV or another format that data files may have. */
  readonly participants: string;
  /** The column with their ids; default `participant_id`. */
  readonly idColumn?: string;
  /** Default: all of the scale, in its order. */
  readonly tiers?: readonly string[];
  /** Which subscales are asked for; default: those that the scale says. */
  readonly subscales?: readonly string[];
  /** Only a JSON object of the right keys and ranges can be written; default false. */
  readonly guided?: boolean;
  /** Only the first participants; no sample. */
  readonly limit?: number;
  readonly signal?: AbortSignal;
  /** Only a random sample of the participants. */
  readonly sample?: SampleChoice;
}

/** The cases that a run of a scale asks: every participant at every tier. */
export interface ScaleCases {
  readonly table: Participants;
  readonly tiers: readonly string[];
  /** The message that every chat begins with. */
  readonly system: string;
  /** By participant, and of each by tier: personas of one participant share their beginning. */
  readonly cases: readonly ScaleCase[];
  /** Null where all participants are meant, or the first. */
  readonly sample: SampleDescription | null;
  readonly notes: readonly string[];
}

export const ID_COLUMN = 'participant_id';

/**
 * What a run would ask. Throws `bad_argument` (tiers, subscales, a scale without personas, a range that no grammar is
 * written for), `template_failed`, and what reading the participants throws.
 */
export async function planCases(options: ScaleCasesOptions): Promise<ScaleCases> {
  const { scale, participants: path, idColumn = ID_COLUMN, subscales, guided = false, limit } = options;
  checkPersonas(scale, subscales);
  if (guided) answerGrammar(scale, subscales);
  const tiers = chosenTiers(scale, options.tiers);
  const table = await readParticipants(path, idColumn);
  const { meant, sample } = meantOf(table, limit, options.sample);
  const written = await writePersonas(
    scale,
    meant.map(({ cells }) => cells),
    tiers,
    { asked: subscales, signal: options.signal },
  );
  const cases = meant.flatMap(({ id }, at) =>
    tiers.map((tier, index): ScaleCase => {
      const persona = written.personas[at]![index]!;
      return { id: `${id}${CASE_JOINT}${tier}`, participantId: id, tier, persona };
    }),
  );
  const notes = [
    ...partOfData({ limit: limit ?? null, sample }, 'participants'),
    ...notesOf(written, table, tiers, cases),
  ];
  return { table, tiers, system: written.system, cases, sample, notes };
}

/** The participants that are asked, in the order of the file. Throws `bad_argument`. */
function meantOf(
  { participants }: Participants,
  limit: number | undefined,
  choice: SampleChoice | undefined,
): { meant: readonly Participant[]; sample: SampleDescription | null } {
  if (choice === undefined) return { meant: participants.slice(0, limit), sample: null };
  checkChoice(choice, limit);
  const { rows, seed = 0 } = choice;
  const drawn = participants
    .map(({ id }, index) => ({ index, id, draw: drawNumber(seed, `row\n${id}`) }))
    .sort((a, b) => a.draw - b.draw || (a.id < b.id ? -1 : 1))
    .slice(0, rows);
  const chosen = new Set(drawn.map(({ index }) => index));
  const meant = participants.filter((_, index) => chosen.has(index));
  const of = participants.length;
  return {
    meant,
    sample: { rows, seed, drawn: meant.length, of, strata: 1, by: [], finer: [], largestUnit: 1 },
  };
}

function chosenTiers(scale: Scale, given: readonly string[] | undefined): readonly string[] {
  const known = scale.tiers.map(({ name }) => name);
  if (given === undefined) return known;
  const wrong = given.find((tier, index) => !known.includes(tier) || given.indexOf(tier) !== index);
  if (given.length > 0 && wrong === undefined) return given;
  const what =
    wrong === undefined
      ? 'no tier is given'
      : known.includes(wrong)
        ? `the tier ${wrong} is given twice`
        : `scale ${scale.name} has no tier ${JSON.stringify(wrong)}`;
  throw new AuditError('bad_argument', `${what}; the tiers are ${known.join(', ')}`, { key: 'tiers', known });
}

function notesOf(
  { columns: wanted }: WrittenPersonas,
  { file, columns, repeated }: Participants,
  tiers: readonly string[],
  cases: readonly ScaleCase[],
): string[] {
  const absent = wanted.filter((column) => !columns.includes(column));
  const twice = [...new Set(repeated)];
  return [
    ...(absent.length === 0
      ? []
      : [`${file.path} has no column ${absent.join(', ')}: what tiers tell of them is left out`]),
    ...sameTiers(tiers, cases),
    ...(twice.length === 0
      ? []
      : [
          `${file.path}: rows with the id of an earlier one, which counts: ${repeated.length} (${twice.slice(0, 5).join(', ')})`,
        ]),
  ];
}

/** A tier that tells every participant what one before it tells, for want of columns, measures nothing of its own. */
function sameTiers(tiers: readonly string[], cases: readonly ScaleCase[]): string[] {
  const told = tiers.map((tier) =>
    JSON.stringify(cases.filter((one) => one.tier === tier).map(({ persona }) => persona.user)),
  );
  return tiers.flatMap((tier, index) => {
    const first = told.indexOf(told[index]!);
    return first === index
      ? []
      : [`tier ${tier} tells of every participant just what tier ${tiers[first]} tells`];
  });
}
