/** Public data come without the texts of people, which everybody fetches for themselves. */

/** Stands in the place of what is yet to be fetched. */
export const DEHYDRATED = '[NEEDS_HYDRATION]';

export function isDehydrated(text: string): boolean {
  return text.trim() === DEHYDRATED;
}
