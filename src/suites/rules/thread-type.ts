/** The two threads of a pair, in the order in which they are asked about and reported. */
export const THREAD_TYPES = ['violating', 'compliant'] as const;
export type ThreadType = (typeof THREAD_TYPES)[number];
