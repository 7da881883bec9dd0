/** How the engine's process ended, when nobody had asked it to, and the error that this is for a user. */
import { AuditError } from '../../errors.ts';

/** What is known of an ended process. */
export interface Ending {
  readonly signal: NodeJS.Signals | null;
  readonly exitCode: number | null;
  /** The last of what it wrote to stderr, trimmed. */
  readonly stderr: string;
  /** It could not even be started: why. */
  readonly startFault?: Error;
}

/** A call was in flight when the process ended. Stays inside this folder: see {@link deathFault}. */
export class EngineDeath extends Error {
  constructor(
    readonly ending: Ending,
    /** The call had outlived its time limit, and the process was ended for it. */
    readonly timedOut: boolean,
    /** Another call is to blame: this one may be made again. */
    readonly innocent: boolean,
  ) {
    super("the engine's process ended");
  }
}

export interface DeathPlace {
  readonly file: string;
  readonly phase: 'open' | 'request';
  readonly timeoutMs: number;
}

/** `engine_crash` or `engine_timeout`, with signal, exit code and the tail of stderr in its data. */
export function deathFault(
  { ending, timedOut }: EngineDeath,
  { file, phase, timeoutMs }: DeathPlace,
): AuditError {
  const { signal, exitCode, stderr, startFault } = ending;
  const data = { file, phase, signal, exitCode, stderr };
  if (startFault) {
    const message = `the engine's process could not be started: ${startFault.message}`;
    return new AuditError('engine_crash', message, data, { cause: startFault });
  }
  if (timedOut) {
    return new AuditError(
      'engine_timeout',
      `the engine gave no answer within ${timeoutMs / 1000} s and was ended; where the machine is only slow, raise the time limit (timeoutMs, --timeout)`,
      { ...data, timeoutMs },
    );
  }
  const how = signal === null ? `ended with exit code ${exitCode}` : `was ended by ${signal}`;
  const lastWords = stderr === '' ? '' : `: ${tellingLine(stderr)}`;
  if (phase === 'request') {
    return new AuditError('engine_crash', `the engine's process ${how}${lastWords}`, data);
  }
  // An interrupt that came before the child could refuse it: the user's, not the file's.
  if (signal === 'SIGINT') {
    return new AuditError('cancelled', `opening ${file} was interrupted`, data);
  }
  // Nobody but the system ends a process like this, and it does so when memory runs out.
  const why =
    signal === 'SIGKILL'
      ? '; most likely the machine ran out of memory: lower the context length (contextLength, --ctx) or the batch, or take a smaller model'
      : ' (a damaged file, or too little memory)';
  return new AuditError(
    'engine_crash',
    `${file}: the engine's process ${how} while it opened the model${why}${lastWords}`,
    data,
  );
}

/** The last line that names a fault; a stack often follows it. Else the last line. */
function tellingLine(text: string): string {
  const lines = text.split('\n');
  return (
    lines.findLast((line) => /assert|error|failed|fatal|terminate called/i.test(line)) ?? lines.at(-1)!
  ).trim();
}

/** Did a request, and not the opening of the model, end the engine's process? */
export function endedByRequest(error: unknown): error is AuditError {
  return (
    error instanceof AuditError &&
    (error.code === 'engine_crash' || error.code === 'engine_timeout') &&
    error.data.phase === 'request'
  );
}
