/** How a model is opened, as a user of the command meets it: adapters, parts, devices, memory; and what a run keeps of it. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Manifest } from '../../src/run/manifest.ts';
import { plantedFiles } from '../e2e/planted.ts';
import { loraBytes, randomPairs } from '../gguf/lora-file.ts';
import { writeParts } from '../gguf/split-file.ts';
import { readGgufFile } from '../oracle/gguf.ts';
import { temporaryFolder } from '../temporary.ts';
import { type CliOptions, runCli } from './run-cli.ts';

let folder: string;
let model: string;
beforeEach(async () => {
  folder = temporaryFolder();
  ({ model } = await plantedFiles());
  writeFileSync(
    join(folder, 'pairs.jsonl'),
    '{"id":"a","x":"The nurse said that she was late.","x_swap":"The nurse said that he was late."}\n',
  );
});

const ctf = (args: readonly string[], options: Partial<CliOptions> = {}) =>
  runCli(['run', 'ctf', '--data', 'pairs.jsonl', '--threads', '1', '--out', 'out', ...args], {
    cwd: folder,
    ...options,
  });
const manifest = (): Manifest => JSON.parse(readFileSync(join(folder, 'out', 'manifest.json'), 'utf8'));
const rows = () => readFileSync(join(folder, 'out', 'rows.jsonl'), 'utf8');
const sha256 = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest('hex');

function writeAdapter(name: string): Uint8Array {
  const pairs = randomPairs(readGgufFile(model), ['output.weight'], { rank: 2, size: 0.3, seed: 1 });
  const bytes = loraBytes(pairs, 4);
  writeFileSync(join(folder, name), bytes);
  return bytes;
}

describe('--lora', () => {
  it('changes the numbers, and the run keeps what was applied', async () => {
    const bytes = writeAdapter('tuned.gguf');
    const adapter = (path: string, scale: number) => ({
      path,
      sha256: sha256(bytes),
      bytes: bytes.length,
      scale,
      alpha: 4,
    });
    const tuned = await ctf(['--model', model, '--lora', 'tuned.gguf:0.5', '--lora', './tuned.gguf']);
    expect([tuned.code, tuned.stderr]).toEqual([0, '']);
    expect(tuned.stdout).toContain('with the LoRA adapter tuned.gguf, scale 0.5\n');
    expect(tuned.stdout).toContain('with the LoRA adapter ./tuned.gguf, scale 1\n');
    expect(manifest().model.adapters).toEqual([adapter('tuned.gguf', 0.5), adapter('./tuned.gguf', 1)]);
    const changed = rows();
    rmSync(join(folder, 'out'), { recursive: true });
    const plain = await ctf(['--model', model]);
    expect(plain.stdout).not.toContain('LoRA');
    expect(manifest().model.adapters).toEqual([]);
    expect(rows()).not.toBe(changed);
  });

  it('that cannot be used is told in one line, with exit code 2, and nothing is written', async () => {
    writeAdapter('tuned.gguf');
    writeFileSync(join(folder, 'text.gguf'), 'hello');
    const cases: [string, RegExp][] = [
      ['none.gguf', /LoRA adapter "none.gguf" does not exist/],
      ['text.gguf', /"text.gguf" is not a GGUF file/],
      [model, /it is a model, not an adapter/],
      ['tuned.gguf:half', /After the colon comes the scale, a number such as 0.5/],
      ['tuned.gguf:', /After the colon comes the scale/],
    ];
    for (const [lora, message] of cases) {
      const { code, stdout, stderr } = await ctf(['--model', model, '--lora', lora]);
      expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(message)]);
      expect(existsSync(join(folder, 'out'))).toBe(false);
    }
  });

  it('takes a scale after a colon, and leaves other colons to the name', async () => {
    writeAdapter('a.gguf');
    writeAdapter('odd:2.gguf');
    const scales: [string, number][] = [
      ['a.gguf', 1],
      ['a.gguf:-2', -2],
      ['./odd:2.gguf:1e-3', 0.001],
    ];
    const flags = scales.flatMap(([lora]) => ['--lora', lora]);
    const { stdout } = await runCli(['model', 'info', model, '--json', ...flags], { cwd: folder });
    expect(JSON.parse(stdout).adapters.map(({ scale }: { scale: number }) => scale)).toEqual(
      scales.map(([, scale]) => scale),
    );
    const names: [string, string][] = [
      ['C:\\models\\a.gguf', 'C:\\models\\a.gguf'],
      ['C:\\models\\a.gguf:.25', 'C:\\models\\a.gguf'],
      ['adapter:2', 'adapter'],
      ['odd:name', 'odd:name'],
      ['folder.gguf:1/adapter', 'folder.gguf:1/adapter'],
    ];
    for (const [lora, path] of names) {
      const { code, stderr } = await runCli(['model', 'info', model, '--lora', lora], { cwd: folder });
      expect([code, stderr]).toEqual([2, `logit-audit: ${path}: no such file; check the path\n`]);
    }
  });
});

describe('a model in parts', () => {
  it('is run from its first part; the run keeps every file, and one hash over all', async () => {
    const parts = writeParts(readFileSync(model), [5, 7], folder);
    const whole = await ctf(['--model', model]);
    expect(whole.code).toBe(0);
    const { model: single } = manifest();
    const singleBytes = readFileSync(model);
    expect(single.files).toEqual([{ path: model, sha256: sha256(singleBytes), bytes: singleBytes.length }]);
    expect(single.sha256).toBe(single.files[0]!.sha256);
    const expected = rows();
    rmSync(join(folder, 'out'), { recursive: true });
    const split = await ctf(['--model', parts[0]!]);
    expect([split.code, split.stderr]).toEqual([0, '']);
    expect(rows()).toBe(expected);
    const bytes = parts.map((path) => readFileSync(path));
    expect(manifest().model).toMatchObject({
      path: parts[0],
      sha256: sha256(...bytes),
      files: parts.map((path, index) => ({
        path,
        sha256: sha256(bytes[index]!),
        bytes: statSync(path).size,
      })),
    });
    rmSync(parts[1]!);
    rmSync(join(folder, 'out'), { recursive: true });
    const missing = await ctf(['--model', parts[0]!]);
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining(`are missing: ${parts[1]}`)]);
  });
});

describe('--device', () => {
  it('is told by the run and kept by it', async () => {
    const { code, stdout } = await ctf(['--model', model, '--device', 'cpu']);
    expect(code).toBe(0);
    expect(stdout).toContain(`ctf on ${model}, device CPU\nllama `);
    expect(stdout).toMatch(/^llama [\d.]+K F32, [\d\u202f]+ parameters counted$/m);
    expect(manifest()).toMatchObject({
      model: { parameters: expect.any(Number) },
      devices: ['CPU'],
      engine: { options: { device: 'cpu' } },
    });
  });

  it('that is not there: exit code 2 and what there is', async () => {
    const { code, stdout, stderr } = await ctf(['--model', model, '--device', 'CUDA99']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/there is no device "CUDA99"; choose one of auto, cpu/);
    const demo = await runCli(['demo', '--device', 'CUDA99'], { cwd: folder });
    expect([demo.code, demo.stderr]).toEqual([2, expect.stringContaining('choose one of auto, cpu')]);
  });
});

describe('a context for which there is no memory', () => {
  it.skipIf(process.platform !== 'linux')('is told in one line, with exit code 1', async () => {
    // The planted model, as if it had been trained on texts of 16 million tokens: 1 KiB of cache for each of twice
    // as many, in processes that may have 8 GiB.
    const bytes = Buffer.from(readFileSync(model));
    const key = 'llama.context_length';
    bytes.writeUInt32LE(2 ** 24, bytes.indexOf(key) + key.length + 4);
    writeFileSync(join(folder, 'long.gguf'), bytes);
    const { code, stdout, stderr } = await ctf(['--model', 'long.gguf', '--ctx', String(2 ** 24)], {
      memoryKiB: 8 * 2 ** 20,
    });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(
      /^logit-audit: there is not enough memory for texts of 16777216 tokens in batches of 128 [^\n]*; lower the context length or the batch\n$/,
    );
    expect(existsSync(join(folder, 'out'))).toBe(false);
  });
});

describe('--metrics-impl', () => {
  it('chooses who reduces logits, and the run keeps it', async () => {
    const { code, stderr } = await ctf(['--model', model, '--metrics-impl', 'graph']);
    expect([code, stderr]).toEqual([0, '']);
    expect(manifest().engine.metricsImplementation).toBe('graph');
  });

  it('is not to be had where the build lacks it, and says what there is', async () => {
    const { code, stderr } = await ctf(['--model', model, '--metrics-impl', 'metal']);
    if (process.platform === 'darwin') return;
    expect([code, stderr]).toEqual([2, expect.stringMatching(/which this build lacks; use auto, cpu, /)]);
    expect(existsSync(join(folder, 'out'))).toBe(false);
  });

  it('falls to host memory with one warning where llama.cpp is not as it was, and gives the same numbers', async () => {
    await ctf(['--model', model, '--metrics-impl', 'cpu']);
    const expected = rows();
    for (const [fault, why] of [
      ['not-seen', /the tensor "result_output" came 0 times/],
      ['copied', /copies logits to the host although it was set not to/],
      ['other-logits', /is not what llama.cpp copies to the host/],
    ] as const) {
      rmSync(join(folder, 'out'), { recursive: true });
      const env = { LOGIT_AUDIT_TAP_FAULT: fault };
      const { code, stderr } = await ctf(['--model', model, '--metrics-impl', 'graph'], { env });
      expect(code).toBe(0);
      expect(stderr).toMatch(/^logit-audit: warning: logits are copied to host memory and reduced there/);
      expect(stderr).toMatch(why);
      expect(stderr.trimEnd().split('\n')).toHaveLength(1);
      expect(rows()).toBe(expected);
      expect(manifest().engine.metricsImplementation).toBe('cpu');
    }
  });
});
