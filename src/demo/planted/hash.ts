/**
 * The planted model's only source of variety: a 32-bit integer hash of a string. It must give the same numbers on every
 * machine for ever, since the model file's hash depends on it: FNV-1a over the UTF-16 code units, then
 * MurmurHash3's finalizer, so that strings that differ only in their last letter part well.
 */

/** A whole number in [0, 2^32). */
export function hash32(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  h ^= h >>> 16;
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  h ^= h >>> 16;
  return h >>> 0;
}

/** A multiple of 1/64 in [-1, 1], drawn by the text. */
export function jitter(text: string): number {
  return ((hash32(text) % 129) - 64) / 64;
}
