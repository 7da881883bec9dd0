/** Files of token groups: every fault is told by file and key. */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkTokenGroups, readTokenGroups } from '../../src/lexicon/index.ts';
import { faultOf } from '../fault.ts';
import { temporaryFolder } from '../temporary.ts';

function file(text: string): string {
  const path = join(temporaryFolder(), 'g.json');
  writeFileSync(path, text);
  return path;
}

describe('groups files', () => {
  it('are names with ids', async () => {
    const path = file('{"female": [311, 358],\n\t"h\u00f6rer-2": [0]}');
    expect(await readTokenGroups(path)).toEqual({
      file: path,
      sha256: createHash('sha256').update(readFileSync(path)).digest('hex'),
      groups: [
        { name: 'female', ids: Int32Array.of(311, 358) },
        { name: 'hörer-2', ids: Int32Array.of(0) },
      ],
    });
    expect((await faultOf(() => readTokenGroups('/no/such.json'))).code).toBe('file_not_found');
  });

  it.each([
    ['{"a": [0, -1]}', 'a[1] is below 0'],
    ['{"a": [0, 1.5]}', 'a[1] is no token id'],
    ['{"a": ["0"]}', 'a[0] is no token id'],
    ['{"a": [1, 0, 1]}', 'a[2] is 1, as is the one at [0]'],
    ['{"a": [0, 4294967296]}', 'a[1] is above 2147483647'],
    ['{"b": [1], "a": [0, 4]}', 'a[1] is 4, but a row of four.npy has 4 logits'],
    ['{"a": []}', 'a is empty'],
    ['{"a": 1}', 'a is no list'],
    ['{"1a": [1]}', '1a is no group name'],
    ['{"": [1]}', 'is no group name'],
    ['{"__proto__": [1]}', '__proto__ is no group name'],
    ['{"a": [1], "a": [2]}', 'is no JSON: Map keys must be unique'],
    ['{}', 'is empty'],
    ['[1]', 'is no object'],
    ['null', 'is no object'],
    ['{', 'is no JSON'],
    ['', 'is no object'],
  ])('%s is refused', async (text, message) => {
    const path = file(text);
    const fault = await faultOf(async () => {
      const { groups } = await readTokenGroups(path);
      checkTokenGroups(groups, 4, path, 'four.npy');
    });
    expect(fault.message).toContain(path);
    expect(fault.message).toContain(message);
    expect(fault.kind).toBe('input');
  });
});
