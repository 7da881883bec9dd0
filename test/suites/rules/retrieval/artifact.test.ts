/** An artifact and the data that it is used with: every way in which they may not belong together. */
import { readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  type BuiltRetrieval,
  buildRetrieval,
  RetrievalArtifact,
  sidecarPath,
} from '../../../../src/suites/rules/retrieval/store/index.ts';
import { faultOf } from '../../../fault.ts';
import { temporaryFolder } from '../../../temporary.ts';
import { embedderOf, hashVector, threads } from './fake-embedder.ts';

const queries = { split: 'test', records: threads('test', ['a', 'b', null]) };
const candidates = { split: 'train', records: threads('train', ['c', 'd', 'e']) };
const USE = { queries, candidates };

function build(): Promise<BuiltRetrieval> {
  const embedder = embedderOf(hashVector);
  return buildRetrieval({ ...USE, embedder, out: temporaryFolder(), threads: 1 });
}

async function staleFault(path: string, use = USE) {
  const fault = await faultOf(RetrievalArtifact.open(path, use));
  expect(fault.code).toBe('retrieval_stale');
  expect(fault.message).toContain('build it again with "logit-audit retrieval build"');
  return fault;
}

describe('an artifact is refused', () => {
  it('for another split', async () => {
    const { path } = await build();
    const val = { ...queries, split: 'val' };
    expect((await staleFault(path, { ...USE, queries: val })).message).toContain('query split test, not val');
    const fault = await staleFault(path, { ...USE, candidates: queries });
    expect(fault.message).toContain('candidate split train, not test');
  });

  it('for a thread more, a thread less, and a changed comment, but not for another order', async () => {
    const { path } = await build();
    const use = (records: typeof candidates.records) => ({ ...USE, candidates: { ...candidates, records } });
    const more = threads('train', ['c', 'd', 'e', 'f']);
    expect((await staleFault(path, use(more))).data.key).toBe('train:id1:compliant');
    expect((await staleFault(path, use(more.slice(0, 2)))).data.key).toBe('train:id1:violating');
    const changed = threads('train', ['c', 'd', 'E']);
    expect((await staleFault(path, use(changed))).message).toContain('other candidate comments');
    const hydrated = threads('test', ['a', 'b', 'now here']);
    await staleFault(path, { ...USE, queries: { ...queries, records: hydrated } });
    const other = await RetrievalArtifact.open(path, use(candidates.records.toReversed()));
    await other.close();
  });

  it('for a matrix of another size, with other bytes, or that is not there', async () => {
    const { path } = await build();
    const bytes = readFileSync(path);
    bytes[3]! ^= 1;
    writeFileSync(path, bytes);
    expect((await staleFault(path)).message).toContain('SHA-256');
    truncateSync(path, bytes.length - 1);
    expect((await staleFault(path)).message).toContain('has 11 bytes where its sidecar says 12');
    rmSync(path);
    expect((await faultOf(RetrievalArtifact.open(path, USE))).code).toBe('file_not_found');
  });

  it('for a sidecar that is missing, damaged, of another version, or that contradicts itself', async () => {
    const { path, sidecar } = await build();
    const file = sidecarPath(path);
    const write = (changes: Readonly<Record<string, unknown>>) =>
      writeFileSync(file, JSON.stringify({ ...sidecar, ...changes }));
    for (const [changes, said] of [
      [{ version: 2 }, 'version'],
      [{ shape: [2, 4] }, '2 x 4'],
      [{ bytes: 10 }, 'its bytes'],
      [{ queries: { ...sidecar.queries, keys: ['test:id0:violating'] } }, 'its keys'],
      [{ extra: 1 }, 'extra'],
    ] as const) {
      write(changes);
      const fault = await faultOf(RetrievalArtifact.open(path));
      expect([fault.code, fault.data.file]).toEqual(['data_malformed', file]);
      expect(fault.message).toContain(said);
    }
    writeFileSync(file, '{');
    expect((await faultOf(RetrievalArtifact.open(path))).message).toContain('no valid JSON');
    rmSync(file);
    expect((await faultOf(RetrievalArtifact.open(path))).code).toBe('file_not_found');
    expect((await faultOf(RetrievalArtifact.open('similarity.pt'))).code).toBe('bad_argument');
  });

  it('where it is asked for what it does not hold', async () => {
    const { path } = await build();
    await using artifact = await RetrievalArtifact.open(path);
    expect((await faultOf(artifact.row('test:id9:violating'))).code).toBe('retrieval_stale');
    expect((await faultOf(() => artifact.columnOf('test:id0:violating'))).code).toBe('retrieval_stale');
  });

  it('never half-written: a build that fails leaves the old one', async () => {
    const { path, sidecar } = await build();
    const before = readFileSync(path);
    const broken = embedderOf(() => new Float32Array(3).fill(1));
    const out = path.slice(0, path.lastIndexOf('/'));
    await faultOf(buildRetrieval({ ...USE, queries: { ...queries, prefix: 'new ' }, embedder: broken, out }));
    expect(readFileSync(path)).toEqual(before);
    await using artifact = await RetrievalArtifact.open(path, USE);
    expect(artifact.sidecar).toEqual(sidecar);
    renameSync(path, `${path}.moved`);
  });
});
