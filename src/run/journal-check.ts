/**
 * The checks of a journal's lines. Each line ends in a field `check`, `OWN.CHAIN`: the hash of its own bytes without that
 * field, and the hash of the chain so far and OWN. The first finds a line that was changed; the second one that is not
 * where it was written: missing, moved, or there twice.
 */
import { createHash } from 'node:crypto';

const HEX = 12;
const FIELD = /,"check":"([0-9a-f]{12})\.([0-9a-f]{12})"\}$/;
/** Length of the field with the brace that ends the line. */
const FIELD_BYTES = ',"check":"'.length + 2 * HEX + '.'.length + '"}'.length;

export const CHAIN_START = '0'.repeat(HEX);

function hash(...parts: (string | Uint8Array)[]): string {
  const sha = createHash('sha256');
  for (const part of parts) sha.update(part);
  return sha.digest('hex').slice(0, HEX);
}

/** `object` is a JSON object with at least one field. Returns its line without the line feed, and the chain with it. */
export function checkedLine(object: string, chain: string): { line: string; chain: string } {
  const own = hash(object);
  const next = hash(chain, own);
  return { line: `${object.slice(0, -1)},"check":"${own}.${next}"}`, chain: next };
}

export interface LineCheck {
  /** Hash of its own bytes, as the line says. */
  readonly own: string;
  readonly chain: string;
  /** Are the bytes those that were written? */
  readonly intact: boolean;
}

/** What a line says of itself; null for one without a check. */
export function lineCheck(line: Buffer): LineCheck | null {
  const found = FIELD.exec(line.subarray(-FIELD_BYTES).toString('latin1'));
  if (!found) return null;
  const [, own, chain] = found as unknown as [string, string, string];
  return { own, chain, intact: hash(line.subarray(0, -FIELD_BYTES), '}') === own };
}

export function follows(chain: string, check: LineCheck): boolean {
  return hash(chain, check.own) === check.chain;
}

/** What happened to a line that is not as it was written, as far as its bytes show. */
export function damageOf(line: Buffer): string {
  const nuls = line.filter((byte) => byte === 0).length;
  if (nuls > 0) return `holds ${nuls} NUL bytes, as a loss of power leaves them`;
  if (line.at(-1) === 13) return 'ends in CR LF: an editor or a transfer converted the line ends';
  if (line.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf])))
    return 'begins with a byte order mark: an editor saved the file';
  if (line.length === 0) return 'is empty';
  if (lineCheck(line)) return 'was changed after it was written: its checksum does not match';
  try {
    JSON.parse(line.toString('utf8'));
    return 'has no checksum, and lines before it have one: another program wrote or changed it';
  } catch {
    return 'is no line of a run: it is cut, overwritten, or was added by another program';
  }
}
