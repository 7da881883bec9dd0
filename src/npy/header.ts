/**
 * The header of a NumPy file (.npy), versions 1.0 to 3.0: a magic text, the version, the header's length, and a Python
 * literal {'descr': type, 'fortran_order': bool, 'shape': tuple}. Nothing is guessed: what is not exactly that is an
 * error that says what was found.
 */
import { AuditError } from '../errors.ts';
import { type Dictionary, type Literal, LiteralFault, parseLiteral } from './literal.ts';

export interface NpyHeader {
  readonly version: '1.0' | '2.0' | '3.0';
  readonly descr: Literal;
  readonly fortranOrder: boolean;
  readonly shape: readonly number[];
  /** Bytes in front of the first element. */
  readonly dataOffset: number;
}

/** The bytes that say how long the header is; a file that is shorter is none of ours. */
export const PREAMBLE_BYTES = 12;
/** Headers of plain arrays have some hundred bytes; a longer one is no header of logits. */
export const MAX_HEADER_BYTES = 1024 * 1024;

const MAGIC = Uint8Array.of(0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59); // \x93NUMPY
const KEYS = ['descr', 'fortran_order', 'shape'] as const;
const HOW_TO_SAVE = 'save the array with numpy.save';

/** Where the data begins, out of the file's first `PREAMBLE_BYTES`. Throws `data_malformed`. */
export function dataOffset(preamble: Uint8Array, file: string): number {
  const { lengthAt, lengthBytes } = layout(preamble, file);
  const view = new DataView(preamble.buffer, preamble.byteOffset, preamble.byteLength);
  if (preamble.length < lengthAt + lengthBytes) throw notNpy(preamble, file);
  const length = lengthBytes === 2 ? view.getUint16(lengthAt, true) : view.getUint32(lengthAt, true);
  if (length > MAX_HEADER_BYTES) {
    throw malformed(
      file,
      `its header claims ${length} bytes`,
      `${MAX_HEADER_BYTES} are the most; ${HOW_TO_SAVE}`,
    );
  }
  return lengthAt + lengthBytes + length;
}

/** The header out of the file's beginning, `dataOffset` bytes at least. Throws `data_malformed`. */
export function parseHeader(bytes: Uint8Array, file: string): NpyHeader {
  const { version, lengthAt, lengthBytes } = layout(bytes, file);
  const end = dataOffset(bytes, file);
  if (bytes.length < end) {
    throw malformed(file, 'the file ends within its header', `the header has ${end} bytes; ${HOW_TO_SAVE}`);
  }
  const text = decode(bytes.subarray(lengthAt + lengthBytes, end), version, file);
  const { entries } = dictionary(text, file);
  const unknown = [...entries.keys()].find((key) => !(KEYS as readonly string[]).includes(key));
  if (unknown !== undefined) {
    const shown = JSON.stringify(unknown.slice(0, 40));
    throw malformed(file, `its header has the key ${shown}`, `the keys are ${KEYS.join(', ')}`);
  }
  const missing = KEYS.find((key) => !entries.has(key));
  if (missing !== undefined) {
    throw malformed(file, `its header lacks ${missing}`, `the keys are ${KEYS.join(', ')}`);
  }
  const fortranOrder = entries.get('fortran_order');
  if (typeof fortranOrder !== 'boolean') {
    throw malformed(file, 'fortran_order in its header is no truth value', 'it is True or False');
  }
  return {
    version,
    descr: entries.get('descr')!,
    fortranOrder,
    shape: shapeOf(entries.get('shape')!, file),
    dataOffset: end,
  };
}

function layout(
  bytes: Uint8Array,
  file: string,
): { version: NpyHeader['version']; lengthAt: number; lengthBytes: 2 | 4 } {
  if (bytes.length < 8 || !MAGIC.every((byte, index) => bytes[index] === byte)) throw notNpy(bytes, file);
  const [major, minor] = [bytes[6]!, bytes[7]!];
  if (minor !== 0 || major < 1 || major > 3) {
    throw malformed(
      file,
      `it is a NumPy file of version ${major}.${minor}`,
      'versions 1.0, 2.0 and 3.0 are read',
    );
  }
  return { version: `${major as 1 | 2 | 3}.0`, lengthAt: 8, lengthBytes: major === 1 ? 2 : 4 };
}

function notNpy(bytes: Uint8Array, file: string): AuditError {
  if (bytes.length === 0) return malformed(file, 'the file is empty', HOW_TO_SAVE);
  // .npz files and what torch.save writes are zip archives.
  const zip = bytes[0] === 0x50 && bytes[1] === 0x4b;
  const found = zip
    ? 'it is a zip archive (.npz, or a file of torch.save)'
    : 'it does not begin as a NumPy file does';
  return malformed(file, found, `${HOW_TO_SAVE}, one array a file`);
}

function decode(bytes: Uint8Array, version: NpyHeader['version'], file: string): string {
  if (version !== '3.0') return Buffer.from(bytes).toString('latin1');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw malformed(file, 'its header is not UTF-8', `version 3.0 wants that; ${HOW_TO_SAVE}`, cause);
  }
}

function dictionary(text: string, file: string): Dictionary {
  let value: Literal;
  try {
    value = parseLiteral(text);
  } catch (cause) {
    if (!(cause instanceof LiteralFault)) throw cause;
    const found = `its header is no Python literal (character ${cause.at}: ${cause.message})`;
    throw malformed(file, found, HOW_TO_SAVE, cause);
  }
  if (typeof value === 'object' && value?.kind === 'dict') return value;
  throw malformed(file, 'its header is no dictionary', HOW_TO_SAVE);
}

function shapeOf(value: Literal, file: string): number[] {
  if (typeof value !== 'object' || value?.kind !== 'tuple') {
    throw malformed(file, 'shape in its header is no tuple', HOW_TO_SAVE);
  }
  return value.items.map((length) => {
    if (typeof length === 'number' && length >= 0) return length;
    throw malformed(file, 'shape in its header holds something that is no length', HOW_TO_SAVE);
  });
}

function malformed(file: string, found: string, wanted: string, cause?: unknown): AuditError {
  return new AuditError(
    'data_malformed',
    `${file}: ${found}; ${wanted}`,
    { file },
    cause === undefined ? undefined : { cause },
  );
}
