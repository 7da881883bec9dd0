/** Where the tests' own engine processes lie. */
import { fileURLToPath } from 'node:url';

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

export const MARKED = path('marked.mjs');
export const ONCE = path('once.mjs');
export const STUB = path('stub.mjs');
