/**
 * The one error class of the project. Native code returns the same codes (`metrics.errorCodes()`,
 * `engine.errorCodes()`), and a test holds the lists against each other.
 */

/** Every code an {@link AuditError} may carry, with the kind of fault it stands for. */
export const ERROR_CODES = {
  bad_argument: 'input',
  file_not_found: 'input',
  file_unreadable: 'input',
  file_unwritable: 'input',
  not_gguf: 'input',
  model_invalid: 'input',
  no_chat_template: 'input',
  template_failed: 'input',
  think_open: 'input',
  data_empty: 'input',
  data_malformed: 'input',
  row_invalid: 'input',
  attributes_invalid: 'input',
  lexicon_invalid: 'input',
  lexicon_unmapped: 'input',
  experiment_invalid: 'input',
  schema_invalid: 'input',
  scale_invalid: 'input',
  retrieval_stale: 'input',
  output_exists: 'input',
  context_overflow: 'input',
  empty_input: 'input',
  length_mismatch: 'input',
  out_of_range: 'input',
  not_finite: 'input',
  all_masked: 'input',
  endpoint_refused: 'input',
  not_supported: 'input',
  cancelled: 'cancelled',
  endpoint_failed: 'internal',
  storage_failed: 'storage',
  engine_failed: 'internal',
  engine_closed: 'internal',
  engine_crash: 'internal',
  engine_timeout: 'internal',
  addon_missing: 'internal',
  internal: 'internal',
} as const;

/** What kind of fault an AuditError is. */
export type ErrorCode = keyof typeof ERROR_CODES;

/** Where the fault lies: file, row, column, key, and whatever else helps to mend it. */
export type ErrorData = Readonly<Record<string, unknown>>;

/** The one error of the package: a code, a message that says what to do, and `data` that says where. */
export class AuditError extends Error {
  override readonly name = 'AuditError';

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly data: ErrorData = {},
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }

  /** `input`: the caller can mend it (exit code 2); `storage`: the disk is full or fails (3); `cancelled`: 130; `internal`: 1. */
  get kind(): (typeof ERROR_CODES)[ErrorCode] {
    return ERROR_CODES[this.code];
  }

  /** What a journal line or a JSON report keeps of the error. */
  toJSON(): { code: ErrorCode; message: string; data: ErrorData } {
    return { code: this.code, message: this.message, data: this.data };
  }
}

/** Is `code` one of ours? Addons throw plain errors that carry `code` and `data`. */
export function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(ERROR_CODES, code);
}

/** Any thrown value as an {@link AuditError}; one of ours, or one that an addon threw, keeps its code and data. */
export function toAuditError(thrown: unknown): AuditError {
  if (thrown instanceof AuditError) return thrown;
  if (thrown instanceof Error) {
    const { code, data } = thrown as { code?: unknown; data?: ErrorData };
    return new AuditError(isErrorCode(code) ? code : 'internal', thrown.message, data ?? {}, {
      cause: thrown,
    });
  }
  return new AuditError('internal', String(thrown));
}
