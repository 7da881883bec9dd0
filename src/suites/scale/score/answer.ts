/** A model's text to the scores and bands that the scale asks for. */

/** What was read of a text. */
export interface Answer {
  /** By side; all null where there is an error. */
  readonly scores: readonly (number | null)[];
  readonly bands: readonly (string | null)[];
  readonly failure: Failure | null;
  /** What was changed so that the text could be read. */
  readonly repairs: readonly string[];
  readonly notes: readonly string[];
}

/** Why a row has no answer. */
export interface Failure {
  /** As tables count it: `no_json`, `missing_key`, `bad_caseid`. */
  readonly kind: string;
  /** What stands before the message: the kind, or in compatibility mode the original's name of the error. */
  readonly type: string;
  readonly message: string;
}

/** Reads a text. */
export type AnswerReader = (text: string) => Answer;

/** A failure whose type is its kind. */
export function failure(kind: string, message: string): Failure {
  return { kind, type: kind, message };
}

/** `Type: message`, on one line. */
export function describeFailure({ type, message }: Failure): string {
  return `${type}: ${message.replace(/\s+/g, ' ')}`;
}
