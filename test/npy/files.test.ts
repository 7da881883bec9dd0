/** Files that numpy itself wrote (files/README.md): the reader's other tests write theirs by the format's text. */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { openIds } from '../../src/npy/index.ts';
import { faultOf } from '../fault.ts';
import { readAll } from './helpers.ts';

const folder = fileURLToPath(new URL('./files/', import.meta.url));
const names = readdirSync(folder).filter((name) => name.endsWith('.npy'));
const LOGITS = [0.5, -1, 2, 0, -0.25, Number.NEGATIVE_INFINITY];

describe('files of numpy', () => {
  const good = names.filter((name) => /^b?float/.test(name));
  it.each(good)('%s', async (name) => {
    const type = name.split(/[.-]/)[0]!;
    const read = await readAll(folder + name, type === 'bfloat16' ? type : undefined);
    expect(read).toEqual({ type, rows: 2, vocab: 3, values: LOGITS });
  });

  it('of one row and of ids', async () => {
    expect((await readAll(`${folder}one-row.npy`)).values).toEqual(LOGITS.slice(0, 3));
    const ids = await openIds(`${folder}ids.npy`, 3);
    for await (const block of ids.blocks(10)) expect([...block.ids]).toEqual([2, -1]);
  });

  const bad = names.filter((name) => name.startsWith('bad-'));
  it.each(bad)('%s is refused', async (name) => {
    const fault = await faultOf(() => readAll(folder + name));
    expect(fault.code).toBe('data_malformed');
    expect(fault.message.replace(folder, '')).toMatchSnapshot();
  });

  it('are all there', () => {
    expect([good.length, bad.length]).toEqual([8, 8]);
  });
});
