/** The groups file of `logit-audit metrics`: every fault is told by file and key. */
import { describe, expect, it } from 'vitest';
import { checkIds, checkNames, readGroups } from '../../src/cli/metrics/groups.ts';
import { faultOf, temporaryFolder } from '../npy/helpers.ts';

const file = temporaryFolder();

describe('groups files', () => {
  it('are names with ids', async () => {
    const path = await file('g.json', Buffer.from('{"female": [311, 358],\n\t"h\u00f6rer-2": [0]}'));
    expect(await readGroups(path)).toEqual([
      { name: 'female', ids: Int32Array.of(311, 358) },
      { name: 'hörer-2', ids: Int32Array.of(0) },
    ]);
    expect((await faultOf(() => readGroups('/no/such.json'))).code).toBe('file_not_found');
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
    ['{"he": [1], "He": [2]}', 'He and he would both have the column massHe'],
    ['{}', 'is empty'],
    ['[1]', 'is no object'],
    ['null', 'is no object'],
    ['{', 'is no JSON'],
    ['', 'is no object'],
  ])('%s is refused', async (text, message) => {
    const path = await file('g.json', Buffer.from(text));
    const fault = await faultOf(async () => {
      const groups = await readGroups(path);
      checkNames(groups, [''], path);
      checkIds(groups, 4, path, 'four.npy');
    });
    expect(fault.message).toContain(path);
    expect(fault.message).toContain(message);
    expect(fault.kind).toBe('input');
  });
});
