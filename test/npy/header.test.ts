import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AuditError } from '../../src/errors.ts';
import { parseHeader } from '../../src/npy/header.ts';
import { parseLiteral } from '../../src/npy/literal.ts';
import { faultOf } from '../fault.ts';
import { npy, withHeader } from './write.ts';

const GOOD = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";

/** The message for a file with this header. */
async function told(literal: string, version = 1): Promise<string> {
  const fault = await faultOf(() => parseHeader(withHeader(literal, undefined, version), 'a.npy'));
  expect(fault.code).toBe('data_malformed');
  expect(fault.data.file).toBe('a.npy');
  return fault.message;
}

describe('headers', () => {
  it.each([1, 2, 3] as const)('of version %i.0', (version) => {
    const bytes = npy({ descr: '<f4', shape: [2, 3], data: Buffer.alloc(24), version });
    expect(parseHeader(bytes, 'a.npy')).toEqual({
      version: `${version}.0`,
      descr: '<f4',
      fortranOrder: false,
      shape: [2, 3],
      dataOffset: bytes.length - 24,
    });
  });

  it('in other spellings of the same literal', () => {
    for (const literal of [
      '{"shape":(2,3),"fortran_order":False,"descr":"<f4"}',
      "\t{ 'descr' : '<f4' ,\n'fortran_order' : False , 'shape' : ( 2L , 3L , ) }",
    ]) {
      expect(parseHeader(withHeader(literal), 'a').shape).toEqual([2, 3]);
    }
    const shape = (text: string) => parseHeader(withHeader(GOOD.replace('(2, 3)', text)), 'a').shape;
    expect(shape('()')).toEqual([]);
    expect(shape('(7,)')).toEqual([7]);
    expect(shape('(0, 3)')).toEqual([0, 3]);
  });

  it('keep what is no plain type for whoever reads it', () => {
    const structured = GOOD.replace("'<f4'", "[('a', '<f4'), ('b', '<i4', (2,))]");
    expect(parseHeader(withHeader(structured), 'a').descr).toMatchObject({ kind: 'list' });
  });

  it('are refused with what was found', async () => {
    expect(await told('')).toContain('no Python literal (character');
    expect(await told('[1, 2]')).toContain('no dictionary');
    expect(await told('{1: 2}')).toContain('a key is not text');
    expect(await told('{}')).toContain('lacks descr');
    expect(await told(GOOD.replace("'fortran_order': False, ", ''))).toContain('lacks fortran_order');
    expect(await told(GOOD.replace('}', "'more': 1}"))).toContain('has the key "more"');
    expect(await told(GOOD.replace('}', "'shape': (1,)}"))).toContain('"shape" is there twice');
    expect(await told(GOOD.replace('False', '0'))).toContain('fortran_order in its header is no truth value');
    expect(await told(GOOD.replace('(2, 3)', '(2)'))).toContain('no tuple');
    expect(await told(GOOD.replace('(2, 3)', '[2, 3]'))).toContain('no tuple');
    expect(await told(GOOD.replace('(2, 3)', '(2, -3)'))).toContain('no length');
    expect(await told(GOOD.replace('(2, 3)', '(2, True)'))).toContain('no length');
    expect(await told(GOOD.replace('(2, 3)', '(2, 3.5)'))).toContain('"."');
    expect(await told(GOOD.replace('(2, 3)', '(2, 3]'))).toContain('where a comma or ) should be');
    expect(await told(GOOD.replace('3', '3'.repeat(400)))).toContain('more than 15 digits');
    expect(await told(GOOD.replace("'<f4'", "'<f4"))).toContain('no Python literal');
    expect(await told(GOOD.replace("'<f4'", '__import__("os").system("true")'))).toContain('__import__');
    expect(await told(`${GOOD} ${GOOD}`)).toContain('follows the end');
    expect(await told('('.repeat(60_000))).toContain('nested more than 16 deep');
    expect(await told("{'__proto__': 1}")).toContain('has the key "__proto__"');
    expect(await told("{'\u00e9': 1}", 3)).toContain('é');
  });

  it('are refused where the file is another', async () => {
    const fault = (bytes: Uint8Array) => faultOf(() => parseHeader(bytes, 'a.npy'));
    expect((await fault(Buffer.alloc(0))).message).toContain('is empty');
    expect((await fault(Buffer.from('PK\x03\x04 and more'))).message).toContain('zip archive');
    expect((await fault(Buffer.from('GGUF and more to read'))).message).toContain('does not begin');
    const good = withHeader(GOOD);
    for (let length = 0; length < good.length; length += 1) {
      expect((await fault(good.subarray(0, length))).code).toBe('data_malformed');
    }
    for (const [major, minor] of [
      [0, 0],
      [4, 0],
      [1, 1],
    ] as const) {
      const other = Buffer.from(good);
      other[6] = major;
      other[7] = minor;
      expect((await fault(other)).message).toContain(`version ${major}.${minor}`);
    }
    const long = withHeader(GOOD, undefined, 2);
    long.writeUInt32LE(0xffffffff, 8);
    expect((await fault(long)).message).toContain('claims 4294967295 bytes');
    const latin = withHeader(GOOD, undefined, 3);
    latin[20] = 0xff;
    expect((await fault(latin)).message).toContain('not UTF-8');
  });
});

describe('hostile input', () => {
  const piece = fc.constantFrom(
    ...['{', '}', '(', ')', '[', ']', ',', ':', "'", '"', ' ', '\n', '-', '0', '12', 'L', 'True', 'None'],
    ...["'descr'", "'fortran_order'", "'shape'", "'<f4'", '\\', 'x'],
  );

  it('never makes the header fail but in our way', () => {
    const text = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(
        fc.oneof(text, fc.string({ maxLength: 80 })),
        fc.constantFrom(1, 2, 3),
        (literal, version) => {
          try {
            parseHeader(withHeader(literal, undefined, version), 'a');
          } catch (thrown) {
            expect(thrown).toBeInstanceOf(AuditError);
          }
        },
      ),
      { numRuns: 3000 },
    );
  });

  it('never makes bytes fail but in our way', () => {
    const good = withHeader(GOOD);
    const edits = fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(edits, fc.nat(good.length), (changes, length) => {
        const bytes = Buffer.from(good);
        for (const [at, value] of changes) bytes[at] = value;
        try {
          parseHeader(bytes.subarray(0, length), 'a');
        } catch (thrown) {
          expect(thrown).toBeInstanceOf(AuditError);
        }
      }),
      { numRuns: 3000 },
    );
  });

  it('is read in linear time', () => {
    // A quadratic reader would take minutes over a million characters.
    for (const text of [`(${'1,'.repeat(500_000)})`, `${' '.repeat(1_000_000)}1`]) {
      expect(() => parseLiteral(text)).not.toThrow();
    }
    for (const text of [
      "'".repeat(1_000_001),
      '{'.repeat(1_000_000),
      '-'.repeat(1_000_000),
      'a'.repeat(1_000_000),
    ]) {
      expect(() => parseLiteral(text)).toThrow();
    }
  });
});
