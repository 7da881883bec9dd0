/** What the suite works with beside its options: tables, and examples. */

import type { SuiteContext } from '../../../contract/suite.ts';
import { AuditError } from '../../../errors.ts';
import type { RulesExample, RulesPair, RulesTables, ThreadType, TraceStyle } from '../index.ts';

export interface RulesMaterial {
  readonly tables: RulesTables;
  /** Null for a run without examples. */
  readonly fewShot: {
    readonly style: TraceStyle;
    /** Those of a thread, the first to be shown first. */
    examplesOf(pair: RulesPair, type: ThreadType): readonly RulesExample[];
  } | null;
}

/** Throws `bad_argument` where the suite was started without it. */
export function materialOf({ material }: Pick<SuiteContext, 'material'>): RulesMaterial {
  const given = material as RulesMaterial | undefined;
  if (given?.tables !== undefined) return given;
  const message =
    'rules needs its contexts, phrases and template; start it by "logit-audit run rules" or by runRules';
  throw new AuditError('bad_argument', message, { suite: 'rules' });
}
