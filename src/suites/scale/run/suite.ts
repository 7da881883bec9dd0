/** A scale put to a model as participants, as a suite: a row is a participant at a tier, and its answer is a text. */
import { z } from 'zod';
import type { Derivation, JournalEntry, Suite, SuiteContext } from '../../../contract/index.ts';
import type { GenerateRequest } from '../../../observation/observation.ts';
import { Alike } from '../../../report/index.ts';
import type { Persona } from '../ask/index.ts';
import { PERSONA_COLUMNS, RESULT_COLUMNS } from './results.ts';

export interface ScaleCase {
  /** Participant and tier: what result files know it by. */
  readonly id: string;
  readonly participantId: string;
  readonly tier: string;
  readonly persona: Persona;
}

/** What the suite works with beside a row. */
export interface ScaleMaterial {
  readonly cases: readonly ScaleCase[];
  ask(caseId: string, persona: Persona): GenerateRequest;
}

export interface ScaleCounts {
  /** Cases that this run is about. */
  readonly cases: number;
  readonly ok: number;
  readonly failed: number;
  /** Of `ok`: texts that were cut. */
  readonly truncated: number;
  /** Lines of a result file that was there already. */
  readonly takenOver: number;
}

export const RESULTS_FILE = 'results.csv';
const CUT: readonly unknown[] = ['length', 'context'];

function materialOf({ material }: SuiteContext): ScaleMaterial {
  return material as ScaleMaterial;
}

/** Of the cases that a run is about, whatever else its folder has. */
export class ScaleTotals implements Derivation {
  readonly #meant: ReadonlySet<string>;
  readonly #alike = new Alike();
  #counts = { ok: 0, failed: 0, truncated: 0, takenOver: 0 };
  firstFailure: string | null = null;

  constructor({ cases }: ScaleMaterial) {
    this.#meant = new Set(cases.map(({ id }) => id));
  }

  add(entry: JournalEntry): void {
    if (!this.#meant.has(entry.id!) || entry.status === 'skipped') return;
    this.#counts[entry.status] += 1;
    if (entry.status === 'failed') {
      this.firstFailure ??= entry.error.message;
      return;
    }
    const { generated_text: text, finish = null, taken_over: taken } = entry.result;
    if (CUT.includes(finish)) this.#counts.truncated += 1;
    if (taken === true) this.#counts.takenOver += 1;
    this.#alike.add({ 'the text': text as string });
  }

  get counts(): ScaleCounts {
    return { cases: this.#meant.size, ...this.#counts };
  }

  notes(): string[] {
    const { truncated, failed, takenOver: taken } = this.#counts;
    return [
      ...(taken === 0
        ? []
        : [`${taken} answers were in ${RESULTS_FILE} already, and were taken as they are`]),
      ...(truncated === 0 ? [] : [`${truncated} answers were cut; a higher maxTokens lets them end`]),
      ...(failed === 0
        ? []
        : [`${failed} cases failed and have no text in ${RESULTS_FILE}; resume asks them again`]),
      ...this.#alike.notes(),
    ];
  }

  /** The texts have a table of their own. */
  files(): [] {
    return [];
  }
}

export const scaleSuite: Suite<ScaleCase> = {
  name: 'scale',
  summary: 'a questionnaire, answered by a model as each participant',
  panel: 'utility',
  data: 'a table of participants',
  example:
    'logit-audit run scale --scale prca-24 --model model.gguf --participants participants.csv --out runs/prca',
  schema: z.custom<ScaleCase>(),
  options: {},
  lexicon: 'none',
  slices: ['participant_id', 'tier'],
  headline: [],
  resumeAt: 'unanswered',
  // In the end enough to fill a batch, and no more than a slow machine answers well within the time limit of a window.
  windows: { first: 2, most: 16 },
  table: {
    file: RESULTS_FILE,
    columns: RESULT_COLUMNS,
    line: ({ id, result }) => ({ caseid: id, generated_text: String(result.generated_text) }),
  },
  *given(context) {
    yield {
      file: 'personas.csv',
      columns: PERSONA_COLUMNS,
      rows: materialOf(context).cases.map(({ id, participantId, tier, persona }) => ({
        caseid: id,
        participant_id: participantId,
        tier,
        missing: persona.missing.join(', '),
        user: persona.user,
      })),
    };
  },
  derive: (context) => new ScaleTotals(materialOf(context)),
  metrics: () => [],
  identify: ({ id, participantId, tier }) => ({ id, slices: { participant_id: participantId, tier } }),
  plan: ({ id, persona }, context) => ({
    kind: 'ask',
    requests: [materialOf(context).ask(id, persona)],
    note: {},
  }),
  score([answer]) {
    const { text, finish, tokenIds } = answer!.generation!;
    return { generated_text: text, finish, tokens: tokenIds.length };
  },
};
