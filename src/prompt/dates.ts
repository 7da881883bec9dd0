/**
 * The date that templates write. It is never today's: a prompt that changes overnight cannot be repeated, and a run that
 * is resumed would ask two questions.
 */
import { AuditError } from '../errors.ts';
import { strftime } from './globals.ts';

/** For a template that wants a date and has none of its own: the same for every run, and in its manifest. */
export const DEFAULT_DATE = '2025-01-01';

/** Midnight of a day that there is. Throws `bad_argument`. */
export function dateOf(day: string): Date {
  const date = /^\d{4}-\d\d-\d\d$/.test(day) ? new Date(`${day}T00:00:00Z`) : null;
  // JavaScript takes the 30th of February for a day in March.
  if (date !== null && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day)) return date;
  throw new AuditError('bad_argument', `date is ${JSON.stringify(day)}; give a day as YYYY-MM-DD`, {
    key: 'date',
  });
}

/** `date_string` as the templates that take one have it in their own defaults: 26 Jul 2024. */
export function dateString(date: Date): string {
  return strftime(date, '%d %b %Y');
}
