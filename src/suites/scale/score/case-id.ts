/** Case ids: `PARTICIPANT__TIER`, split at the last joint, so that a participant's own id may hold one. */
import { CASE_JOINT } from '../data/index.ts';

export type CaseId =
  | { readonly ok: true; readonly participant: string; readonly tier: string }
  | { readonly ok: false; readonly problem: string };

/** What data frames write into a cell that has nothing in it. */
const NOTHING: ReadonlySet<string> = new Set(['', 'nan', 'na', 'none', 'null', '<na>', 'n/a']);
/** A whole number that went through a column of floats. */
const WHOLE_FLOAT = /^(-?\d+)\.0$/;

/** An id as files may spell it to the one that is meant: without spaces around it, "123.0" as "123", nothing as "". */
export function normaliseId(text: string): string {
  const trimmed = text.trim();
  if (NOTHING.has(trimmed.toLowerCase())) return '';
  return WHOLE_FLOAT.exec(trimmed)?.[1] ?? trimmed;
}

/** Splits a case id that {@link normaliseId} has been over; both parts keep the spaces that they have inside. */
export function parseCaseId(id: string): CaseId {
  const at = id.lastIndexOf(CASE_JOINT);
  if (at === -1) {
    return { ok: false, problem: `caseid must look like '<participant_id>__<tier>': '${id}'` };
  }
  const participant = id.slice(0, at);
  const tier = id.slice(at + CASE_JOINT.length);
  if (participant.trim() === '' || tier.trim() === '') {
    return { ok: false, problem: `a part of the caseid is empty: '${id}'` };
  }
  return { ok: true, participant, tier };
}
