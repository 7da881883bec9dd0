import { describe, expect, it } from 'vitest';
import { type LexiconMappingJson, mappingFromIds, type TokenGroupsFile } from '../../src/lexicon/index.ts';
import { faultOf } from '../fault.ts';
import { bytes } from './tokenizers.ts';

const given = (groups: Record<string, number[]>): TokenGroupsFile => ({
  file: 'g.json',
  sha256: 'ab',
  groups: Object.entries(groups).map(([name, ids]) => ({ name, ids: Int32Array.from(ids) })),
});

describe('a mapping of given ids', () => {
  it('has the groups as they were given, says so, and where from', async () => {
    const mapping = await mappingFromIds(given({ a: [99, 7], b: [0], c: [255] }), bytes);
    expect(mapping.groups).toEqual([
      { name: 'a', ids: Int32Array.of(7, 99), words: [] },
      { name: 'b', ids: Int32Array.of(0), words: [] },
      { name: 'c', ids: Int32Array.of(255), words: [] },
    ]);
    const written = JSON.parse(JSON.stringify(mapping)) as LexiconMappingJson;
    expect(written).toMatchObject({
      lexicon: { name: 'g.json', sha256: 'ab' },
      policy: 'ids',
      groups: [{ ids: [7, 99] }, { ids: [0] }, { ids: [255] }],
      collisions: [],
    });
  });

  it('counts an id of several groups in none, and lists it', async () => {
    const mapping = await mappingFromIds(given({ a: [1, 65, 66], b: [66, 2], c: [3, 65, 66] }), bytes);
    expect(mapping.groups.map(({ ids }) => [...ids])).toEqual([[1], [2], [3]]);
    expect(mapping.collisions).toEqual([
      { id: 65, piece: 'A', groups: ['a', 'c'], forms: [] },
      { id: 66, piece: 'B', groups: ['a', 'b', 'c'], forms: [] },
    ]);
  });

  it('refuses ids that the model does not have, and groups that are left with none', async () => {
    const outside = await faultOf(mappingFromIds(given({ a: [1], b: [2, 256] }), bytes));
    expect(outside.code).toBe('out_of_range');
    expect(outside.message).toContain('g.json: b[1] is 256, but the model has 256 tokens');
    expect(outside.data).toEqual({ file: 'g.json', key: 'b[1]', id: 256 });
    const empty = await faultOf(mappingFromIds(given({ a: [1], b: [1, 2] }), bytes));
    expect([empty.code, empty.message]).toEqual(['lexicon_unmapped', expect.stringContaining('group "a"')]);
  });
});
