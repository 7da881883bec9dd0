/** A JSON document whose values are made only where they are asked for: for large files of which a small part is wanted. */
import { readBytes } from './file.ts';
import { readDocument } from './json-document.ts';
import { type JsonMember, membersAt, OPEN_ARRAY, OPEN_OBJECT } from './json-scan.ts';
import { textBytes } from './prelude.ts';

export interface JsonParts {
  /** The document, without a byte-order mark. */
  readonly bytes: Buffer;
  readonly kind: 'array' | 'object' | 'other';
  /** Keys of an object, in their order. */
  readonly keys: readonly string[];
  /** The value of a key, undefined where there is none; of a key that is there twice, the last. */
  member(key: string): unknown;
}

/** Reads the document at `path` whole. Throws what reading a file throws, and `data_malformed` for what is not JSON. */
export async function readJsonParts(path: string): Promise<JsonParts> {
  const { bytes, start } = await readDocument(textBytes(readBytes(path), path, 'json'), path);
  const members: readonly JsonMember[] = bytes[start] === OPEN_OBJECT ? [...membersAt(bytes, start)] : [];
  return {
    bytes,
    kind: kindOf(bytes[start]),
    keys: members.map(({ key }) => key),
    member(key) {
      const member = members.findLast((candidate) => candidate.key === key);
      return member && (JSON.parse(bytes.toString('utf8', member.start, member.end)) as unknown);
    },
  };
}

function kindOf(lead: number | undefined): JsonParts['kind'] {
  if (lead === OPEN_ARRAY) return 'array';
  return lead === OPEN_OBJECT ? 'object' : 'other';
}
