/** How result files are scored: by which parser, which fields, and whether as MultiBBQ's own program does. */
import { AuditError } from '../../../errors.ts';
import type { LetterParser } from '../../../parse/index.ts';
import { FIELDS, fieldsFor, type MetricField, scoreChoices } from './fields.ts';

export const COMPATIBLE = ['multibbq'] as const;
export type Compatibility = (typeof COMPATIBLE)[number];

/** How answers of MultiBBQ are scored. */
export interface ScoringOptions {
  /** How answers are read: `anchored`, in compatibility mode `v1.0`, unless said. */
  readonly parser?: LetterParser | undefined;
  /** For the parsers `v1.0` and `v1.1`: unknown phrases count only in the last so many characters of an answer. */
  readonly tailSlice?: number | undefined;
  /** `all`, or the flag of one field. */
  readonly score?: string | undefined;
  readonly compat?: Compatibility | undefined;
}

export interface Scoring {
  readonly parser: LetterParser;
  readonly tailSlice: number | null;
  readonly fields: readonly MetricField[];
  readonly compat: boolean;
}

/** The options with their defaults. Throws `bad_argument` for options that do not go together. */
export function scoringOf(options: ScoringOptions = {}, table: readonly MetricField[] = FIELDS): Scoring {
  const compat = options.compat !== undefined;
  const { parser = compat ? 'v1.0' : 'anchored', tailSlice = null, score = 'all' } = options;
  if (tailSlice !== null && parser === 'anchored') {
    throw new AuditError(
      'bad_argument',
      'a tail slice is for the parsers v1.0 and v1.1; leave it out, or give one of those parsers',
      { key: 'tailSlice' },
    );
  }
  const choices = scoreChoices(table);
  if (!choices.includes(score)) {
    throw new AuditError('bad_argument', `there is no score "${score}"; give ${choices.join(', ')}`, {
      key: 'score',
    });
  }
  return { parser, tailSlice, fields: fieldsFor(score, table), compat };
}
