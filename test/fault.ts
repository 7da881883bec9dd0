/** The AuditError that an action or a promise fails with; anything else fails the test. */
import { expect } from 'vitest';
import { AuditError } from '../src/errors.ts';

function asFault(thrown: unknown): AuditError {
  expect(thrown).toBeInstanceOf(AuditError);
  return thrown as AuditError;
}

/** Of a synchronous action. */
export function fault(action: () => unknown): AuditError {
  try {
    action();
  } catch (thrown) {
    return asFault(thrown);
  }
  throw new Error('nothing was thrown');
}

/** Of a promise, or of an action that may give one. */
export async function faultOf(action: Promise<unknown> | (() => unknown)): Promise<AuditError> {
  try {
    await (typeof action === 'function' ? action() : action);
  } catch (thrown) {
    return asFault(thrown);
  }
  throw new Error('nothing was thrown');
}
