/** Files that are wrong, by accident or on purpose: each an error with a place, none a hang, a crash or a guess. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AuditError } from '../../src/errors.ts';
import { summarizeGguf } from '../../src/gguf/index.ts';
import { faultOf } from '../fault.ts';
import { temporaryFolder } from '../temporary.ts';
import { smallFile, write } from './files.ts';

const whole = smallFile();

/** A copy with bytes put in at a place. */
function patched(at: number, ...bytes: number[]): Uint8Array {
  const copy = Uint8Array.from(whole);
  copy.set(bytes, at);
  return copy;
}

/** Where a text stands in the file. */
const placeOf = (text: string) => Buffer.from(whole).indexOf(text);

describe('a file', () => {
  it('cut off anywhere is truncated, or no GGUF file', async () => {
    const folder = temporaryFolder();
    for (let length = 0; length < whole.length; length += 97) {
      const error = await faultOf(summarizeGguf(write(whole.subarray(0, length), 'cut.gguf', folder)));
      expect(error.code, `${length} bytes`).toBe(length < 4 ? 'not_gguf' : 'model_invalid');
      if (length >= 4) expect(error.message).toMatch(/truncated/);
    }
  });

  const cases: [string, Uint8Array, string][] = [
    ['of an old version', patched(4, 1), 'is of version 1; versions 2 and 3'],
    ['of a big-endian machine', patched(4, 0, 0, 0, 3), 'big-endian'],
    ['with more tensors than can be', patched(8, 255, 255, 255, 255), 'claims 4294967295 tensors'],
    [
      'with a count beyond counting',
      patched(8, ...Array<number>(8).fill(255)),
      'claims 18446744073709551615',
    ],
    ['with more keys than can be', patched(16, 255, 255, 255), 'claims 16777215 metadata keys'],
    [
      'with a text beyond its end',
      patched(24, 255, 255, 255, 255),
      'metadata key 0 of 19 goes beyond the end',
    ],
    [
      'with a value of no type',
      patched(placeOf('general.name') + 'general.name'.length, 99),
      'metadata key "general.name" is of the unknown type 99',
    ],
    [
      'with an array of no type',
      patched(placeOf('tokenizer.ggml.tokens') + 'tokenizer.ggml.tokens'.length + 4, 9),
      'is an array of the unknown type 9',
    ],
    [
      'with an array beyond its end',
      patched(placeOf('tokenizer.ggml.scores') + 'tokenizer.ggml.scores'.length + 8, 255, 255, 255, 255),
      'metadata key "tokenizer.ggml.scores" goes beyond the end',
    ],
    [
      'with a tensor of many dimensions',
      patched(placeOf('token_embd.weight') + 'token_embd.weight'.length, 9),
      'tensor "token_embd.weight" has 9 dimensions',
    ],
    [
      'with a tensor larger than numbers',
      patched(placeOf('token_embd.weight') + 'token_embd.weight'.length + 10, 16),
      'tensor "token_embd.weight" claims',
    ],
    [
      'with a tensor of broken blocks',
      patched(placeOf('output_norm.weight') + 'output_norm.weight'.length + 12, 12),
      'no whole blocks of Q4_K',
    ],
    [
      'with an alignment of none',
      smallFile({ 'general.alignment': { type: 'uint32', value: 3 } }),
      'power of two',
    ],
    [
      'without an architecture',
      smallFile({ 'general.architecture': undefined }),
      'does not say its architecture',
    ],
  ];
  for (const [name, bytes, part] of cases) {
    it(`${name}: model_invalid`, async () => {
      const error = await faultOf(summarizeGguf(write(bytes)));
      expect(error.code).toBe('model_invalid');
      expect(error.message).toContain(part);
    });
  }

  it('with a key twice: model_invalid', async () => {
    const twice = Buffer.from(whole);
    twice.write('general.architecture', placeOf('tokenizer.ggml.model'));
    expect((await faultOf(summarizeGguf(write(twice)))).message).toContain('is there twice');
  });

  it('with a tensor of a type yet to come is told, without its size', async () => {
    const at = placeOf('output_norm.weight') + 'output_norm.weight'.length + 12;
    const { tensorTypes, weightBytes } = await summarizeGguf(write(patched(at, 200)));
    expect(tensorTypes).toContainEqual({ type: 'type 200', tensors: 1, parameters: 32, bytes: null });
    expect(weightBytes).toBeNull();
  });

  it('with any byte changed gives a summary or an AuditError', async () => {
    const folder = temporaryFolder();
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(255), async (at, byte) => {
        const path = write(patched(at, byte), 'changed.gguf', folder);
        const result = await summarizeGguf(path).catch((thrown: unknown) => thrown);
        if (result instanceof Error) {
          expect(result).toBeInstanceOf(AuditError);
          expect((result as AuditError).code).not.toBe('internal');
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('what is no file', () => {
  it('is told', async () => {
    const folder = temporaryFolder();
    expect((await faultOf(summarizeGguf(join(folder, 'none.gguf')))).code).toBe('file_not_found');
    expect((await faultOf(summarizeGguf(folder))).message).toContain('is a folder');
    expect((await faultOf(summarizeGguf(write(Buffer.from('GG'))))).code).toBe('not_gguf');
  });

  it.skipIf(process.platform === 'win32')('is not waited for', async () => {
    const pipe = join(temporaryFolder(), 'pipe.gguf');
    execFileSync('mkfifo', [pipe]);
    expect((await faultOf(summarizeGguf(pipe))).message).toContain('is not a regular file');
  });
});
