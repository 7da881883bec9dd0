import { truncate, writeFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AuditError } from '../../src/errors.ts';
import { openIds, openLogits } from '../../src/npy/index.ts';
import { defaultBlockRows } from '../../src/npy/stream.ts';
import { faultOf } from '../fault.ts';
import { file, readAll } from './helpers.ts';
import { float32, float64, int64, logitsNpy, npy, uint16, withHeader } from './write.ts';

const SIX = [0.5, -1, 2, 0, -0.25, 8];

describe('files of logits', () => {
  it('are read in every type, order and version', async () => {
    const half = [0x3800, 0xbc00, 0x4000, 0, 0xb400, 0x4800];
    const bfloat = [0x3f00, 0xbf80, 0x4000, 0, 0xbe80, 0x4100];
    for (const version of [1, 2, 3] as const) {
      for (const little of [true, false]) {
        const mark = little ? '<' : '>';
        for (const [descr, data, type] of [
          ['f2', uint16(half, little), 'float16'],
          ['f4', float32(SIX, little), 'float32'],
          ['f8', float64(SIX, little), 'float64'],
          ['u2', uint16(bfloat, little), 'bfloat16'],
          ['V2', uint16(bfloat, little), 'bfloat16'],
        ] as const) {
          const path = file('a.npy', npy({ descr: mark + descr, shape: [3, 2], data, version }));
          const dtype = type === 'bfloat16' ? type : undefined;
          expect(await readAll(path, dtype)).toEqual({ type, rows: 3, vocab: 2, values: SIX });
        }
      }
    }
  });

  it('of one row are [V]', async () => {
    const path = file('v.npy', logitsNpy(SIX));
    expect(await readAll(path)).toEqual({ type: 'float32', rows: 1, vocab: 6, values: SIX });
  });

  it('give the same rows in blocks of any size', async () => {
    const values = Array.from({ length: 7 * 3 }, (_, index) => Math.fround(index / 3));
    for (const [descr, data] of [
      ['<f4', float32(values)],
      ['>f8', float64(values, false)],
    ] as const) {
      const path = file('blocks.npy', npy({ descr, shape: [7, 3], data }));
      for (const rows of [1, 2, 3, 6, 7, 100]) {
        expect((await readAll(path, undefined, rows)).values).toEqual(values);
      }
    }
  });

  it('leave a block alone until the next one is asked for', async () => {
    const rows = 64;
    const values = Array.from({ length: rows * 4 }, (_, index) => index);
    const { blocks } = await openLogits(file('slow.npy', logitsNpy(values, [rows, 4])));
    for await (const { firstRow, logits } of blocks(1)) {
      await new Promise((resolve) => setImmediate(resolve));
      expect([...logits]).toEqual(values.slice(firstRow * 4, firstRow * 4 + 4));
    }
  });

  it('may be left in the middle', async () => {
    const values = Array.from({ length: 100 }, (_, index) => index);
    const { blocks } = await openLogits(file('left.npy', logitsNpy(values, [50, 2])));
    for (let time = 0; time < 200; time += 1) for await (const _ of blocks(1)) break;
  });

  it('take blocks of some megabytes', () => {
    expect(defaultBlockRows(151_936)).toBe(13);
    expect(defaultBlockRows(10_000_000)).toBe(1);
    expect(defaultBlockRows(1)).toBe(4096);
  });
});

describe('what cannot be read', () => {
  async function fault(bytes: Uint8Array, dtype?: 'bfloat16'): Promise<AuditError> {
    const path = file('bad.npy', bytes);
    const error = await faultOf(() => readAll(path, dtype));
    expect(error.message).toContain(path);
    return error;
  }
  const typed = (descr: string) => npy({ descr, shape: [1], data: Buffer.alloc(8) });

  it('other types', async () => {
    for (const descr of [
      '<i4',
      '<f16',
      '|O',
      '<c8',
      '|b1',
      '|u1',
      '<U4',
      '|S4',
      '',
      'f',
      '<f44444444',
      '<V4',
      '<M8[ns]',
    ]) {
      const error = await fault(typed(descr));
      expect(error.code, descr).toBe('data_malformed');
      expect(error.message).toContain('logits are float16, float32, float64');
    }
    expect((await fault(typed('f4'))).message).toContain('without a byte order');
    expect((await fault(typed('=f4'))).message).toContain('without a byte order');
    const structured = withHeader("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}");
    expect((await fault(structured)).message).toContain('structured');
  });

  it('uint16 that nobody called bfloat16', async () => {
    for (const descr of ['<u2', '|V2']) {
      const error = await fault(typed(descr));
      expect(error.code).toBe('bad_argument');
      expect(error.message).toContain('--dtype bfloat16');
    }
  });

  it('other orders and shapes', async () => {
    const data = float32(SIX);
    expect((await fault(npy({ descr: '<f4', shape: [3, 2], data, fortran: true }))).message).toContain(
      'Fortran',
    );
    for (const shape of [
      [1, 3, 2],
      [1, 1, 1, 1, 1, 1, 1, 1, 6],
    ]) {
      expect((await fault(npy({ descr: '<f4', shape, data }))).message).toContain('reshape(-1');
    }
    expect((await fault(npy({ descr: '<f4', shape: [], data }))).message).toContain('shape []');
    for (const shape of [[0], [0, 5], [5, 0]]) {
      expect((await fault(npy({ descr: '<f4', shape, data: Buffer.alloc(0) }))).code).toBe('data_empty');
    }
    expect((await fault(npy({ descr: '<f4', shape: [2 ** 25], data }))).message).toContain(
      'at most 16777216',
    );
  });

  it('other lengths', async () => {
    const good = logitsNpy(SIX, [3, 2]);
    expect((await fault(good.subarray(0, -1))).message).toContain('cut short: 1 bytes are missing');
    expect((await fault(Buffer.concat([good, Buffer.alloc(3)]))).message).toContain('3 bytes follow');
    const huge = npy({ descr: '<f8', shape: [999_999_999_999_999, 16_000_000], data: Buffer.alloc(8) });
    expect((await fault(huge)).message).toContain('cut short');
  });

  it('a file that shrinks', async () => {
    const path = file('shrinks.npy', logitsNpy(SIX, [3, 2]));
    const { blocks } = await openLogits(path);
    await truncate(path, 140);
    const error = await faultOf(async () => {
      for await (const _ of blocks(1)) void _;
    });
    expect(error.message).toContain('became shorter while it was read, at row 1');
  });

  it('float64 beyond float32', async () => {
    const values = [0, 1, 2, 3, 4, -1e39];
    const error = await fault(npy({ descr: '<f8', shape: [3, 2], data: float64(values) }));
    expect(error).toMatchObject({ code: 'data_malformed', data: { row: 2, column: 1 } });
    expect(error.message).toContain('row 2, column 1');
  });

  it('what is no file', async () => {
    expect((await faultOf(() => openLogits('/no/such/file.npy'))).code).toBe('file_not_found');
    expect((await faultOf(() => openLogits('.'))).code).toBe('file_unreadable');
    expect((await faultOf(() => openLogits('/dev/null'))).code).toBe('file_unreadable');
  });

  it('any bytes: never but in our way', async () => {
    const good = npy({ descr: '<f8', shape: [3, 2], data: float64(SIX) });
    const path = file('fuzz.npy', good);
    const edits = fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(edits, fc.integer({ min: -8, max: 8 }), async (changes, longer) => {
        const bytes = Buffer.concat([good, Buffer.alloc(8)]).subarray(0, good.length + Math.min(longer, 0));
        for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value;
        await writeFile(path, bytes);
        await readAll(path).catch((thrown) => expect(thrown).toBeInstanceOf(AuditError));
      }),
      { numRuns: 300 },
    );
  });
});

describe('files of ids', () => {
  async function ids(bytes: Uint8Array, vocab = 100): Promise<number[]> {
    const { blocks } = await openIds(file('ids.npy', bytes), vocab);
    const all: number[] = [];
    for await (const block of blocks(2)) all.push(...block.ids);
    return all;
  }

  it('are int32 or int64, in either byte order', async () => {
    const five = [3, -1, 0, 99, 7];
    for (const little of [true, false]) {
      const wide = int64(five, little);
      expect(await ids(npy({ descr: `${little ? '<' : '>'}i8`, shape: [5], data: wide }))).toEqual(five);
    }
    const narrow = Buffer.from(Int32Array.from(five).buffer);
    expect(await ids(npy({ descr: '<i4', shape: [5], data: narrow }))).toEqual(five);
    expect(await ids(npy({ descr: '<i8', shape: [], data: int64([4]) }))).toEqual([4]);
  });

  it('are refused otherwise', async () => {
    const fault = async (bytes: Uint8Array) => (await faultOf(() => ids(bytes))).message;
    expect(await fault(logitsNpy(SIX))).toContain('token ids are int32 or int64');
    expect(await fault(npy({ descr: '<i8', shape: [1, 2], data: int64([1, 2]) }))).toContain('one a row');
    for (const id of [-2, 100, 2 ** 40]) {
      const bytes = npy({ descr: '<i8', shape: [3], data: int64([0, 1, id]) });
      expect(await fault(bytes)).toContain(`row 2 (counted from 0) has id ${id}`);
    }
  });
});
