/** Element types: what a header's `descr` says, and which of it can be read as logits or as token ids. */
import { AuditError } from '../errors.ts';
import type { Literal } from './literal.ts';

export type FloatType = 'float16' | 'bfloat16' | 'float32' | 'float64';
export type IdType = 'int32' | 'int64';

export const ITEM_BYTES: Readonly<Record<FloatType | IdType, number>> = {
  float16: 2,
  bfloat16: 2,
  float32: 4,
  float64: 8,
  int32: 4,
  int64: 8,
};

/** A type of known width and byte order. */
export interface ElementType<T extends FloatType | IdType> {
  readonly type: T;
  readonly bigEndian: boolean;
}

/** What may be said of a file that it does not say itself: that its 16-bit integers are the bits of bfloat16. */
export type DeclaredType = 'bfloat16';

const FLOATS: Readonly<Record<string, FloatType>> = { f2: 'float16', f4: 'float32', f8: 'float64' };
const IDS: Readonly<Record<string, IdType>> = { i4: 'int32', i8: 'int64' };
// NumPy has no bfloat16: its bits are saved as uint16, or by the ml_dtypes package (JAX) as two bytes without a type.
const BFLOAT16_CARRIERS: Readonly<Record<string, string>> = { u2: 'uint16', V2: 'void of 2 bytes' };

const WANTED_LOGITS = 'logits are float16, float32, float64, or bfloat16 as uint16';

/** The type of a file of logits. Throws `data_malformed`, and `bad_argument` where `declared` would have been needed. */
export function logitsType(
  descr: Literal,
  declared: DeclaredType | undefined,
  file: string,
): ElementType<FloatType> {
  const { order, code, text } = split(descr, file, WANTED_LOGITS);
  const carrier = Object.hasOwn(BFLOAT16_CARRIERS, code) ? BFLOAT16_CARRIERS[code] : undefined;
  if (carrier !== undefined) {
    if (declared !== 'bfloat16') {
      throw new AuditError(
        'bad_argument',
        `${file} holds ${text} (${carrier}), which is no type of logits; if it is the bits of bfloat16, say --dtype bfloat16`,
        { file, descr: text },
      );
    }
    return { type: 'bfloat16', bigEndian: order === '>' };
  }
  const type = Object.hasOwn(FLOATS, code) ? FLOATS[code] : undefined;
  if (type === undefined) {
    throw malformed(file, text, `${WANTED_LOGITS}; save them with np.save(path, logits.astype(np.float32))`);
  }
  return { type, bigEndian: orderOf(order, text, file) };
}

/** The type of a file of token ids. Throws `data_malformed`. */
export function idsType(descr: Literal, file: string): ElementType<IdType> {
  const wanted = 'token ids are int32 or int64';
  const { order, code, text } = split(descr, file, wanted);
  const type = Object.hasOwn(IDS, code) ? IDS[code] : undefined;
  if (type === undefined)
    throw malformed(file, text, `${wanted}; save them with np.save(path, ids.astype(np.int32))`);
  return { type, bigEndian: orderOf(order, text, file) };
}

function split(descr: Literal, file: string, wanted: string): { order: string; code: string; text: string } {
  if (typeof descr !== 'string') throw malformed(file, 'a structured type', wanted);
  const parts = /^([<>|=]?)([A-Za-z]\d{0,4})/.exec(descr);
  const text = descr.length > 20 ? `${descr.slice(0, 20)}...` : descr;
  if (parts === null || parts[0] !== descr) throw malformed(file, text, wanted);
  return { order: parts[1]!, code: parts[2]!, text };
}

function orderOf(order: string, text: string, file: string): boolean {
  if (order === '<' || order === '>') return order === '>';
  throw malformed(
    file,
    `${text} without a byte order`,
    'the type must begin with < or >, as np.save writes it',
  );
}

function malformed(file: string, found: string, wanted: string): AuditError {
  return new AuditError('data_malformed', `${file} holds ${found}; ${wanted}`, { file, descr: found });
}
