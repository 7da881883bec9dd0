/** `logit-audit model info` as it is installed. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { SMALL, smallFile, write } from '../gguf/files.ts';
import { loraBytes } from '../gguf/lora-file.ts';
import { temporaryFolder } from '../temporary.ts';
import { runCli } from './run-cli.ts';

const TEMPLATE = SMALL.get('tokenizer.chat_template')!.value as string;
const HASH = createHash('sha256').update(TEMPLATE).digest('hex');

async function info(bytes: Uint8Array, ...flags: string[]) {
  const folder = temporaryFolder();
  const path = write(bytes, 'small.gguf', folder);
  return await runCli(['model', 'info', path, ...flags], { cwd: folder });
}

describe('model info', () => {
  it('tells people what a model is, without what could steer their terminal', async () => {
    const { code, stdout, stderr } = await info(smallFile(), '--device', 'cpu');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).not.toContain('\u001b');
    for (const line of [
      /^name +Small \\u001b\[31mone$/m,
      /^architecture +llama$/m,
      /^shape +2 layers, 32 wide, 4 heads$/m,
      /^parameters +160 \(160, counted\)$/m,
      /^quantisation +F32$/m,
      /^context +128 tokens, as trained$/m,
      /^vocabulary +2.000 tokens$/m,
      /^eos token +1999 <\|end\|>$/m,
      /^control tokens +3: t0 t1 <\|end\|>$/m,
      /^puts BOS in front +no$/m,
      /^chat template +\{% for m in messages %\} \(/m,
      new RegExp(`^its SHA-256 +${HASH}$`, 'm'),
      /^LoRA adapters +none$/m,
      // The longest text is as trained, and the cache holds both sides of a pair.
      /^memory for texts of 128 tokens, device CPU +size$/m,
      /^weights +640 B$/m,
      /^KV cache, f32, 256 tokens: both sides of a pair +64\.0 KiB$/m,
      /^logits, 128 rows at once +1000\.0 KiB$/m,
      // Logits are larger than the scores of 4 heads over 256 tokens; the mask comes on top.
      /^work space for 128 tokens at once, about +1\.1 MiB$/m,
      /^together, about +2\.1 MiB$/m,
      /^F32 +2 +160 +640 B$/m,
    ]) {
      expect(stdout).toMatch(line);
    }
  });

  it('tells programs the same', async () => {
    const { code, stdout } = await info(smallFile(), '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      architecture: 'llama',
      vocabSize: 2000,
      parameters: 160,
      controlTokens: ['t0', 't1', '<|end|>'],
      chatTemplate: { sha256: HASH, template: TEMPLATE },
      adapters: [],
      memory: { contextLength: 128, kvType: 'f32', bytes: { weights: 640, kvCache: 65_536 } },
    });
  });

  it('tells what the options would take', async () => {
    const flags = ['--ctx', '64', '--kv-type', 'f16', '--batch', '32', '--device', 'cpu', '--json'];
    const { memory } = JSON.parse((await info(smallFile(), ...flags)).stdout);
    expect(memory).toMatchObject({ contextLength: 64, cells: 128, batch: 32, outputs: 65, kvType: 'f16' });
    expect(memory.bytes.kvCache).toBe(16_384);
    const longer = await info(smallFile(), '--ctx', '129');
    expect([longer.code, longer.stderr]).toEqual([2, expect.stringContaining('trained on 128')]);
    const nowhere = await info(smallFile(), '--device', 'CUDA99');
    expect([nowhere.code, nowhere.stderr]).toEqual([2, expect.stringContaining('choose one of auto, cpu')]);
  });

  it('says that memory is not known where the file does not say how long texts may be', async () => {
    const { code, stdout } = await info(smallFile({ 'llama.context_length': undefined }));
    expect(code).toBe(0);
    expect(stdout).toMatch(/^memory: not known, the file does not say how long its texts/m);
    const absurd = await info(smallFile({ 'llama.context_length': { type: 'uint32', value: 2 ** 32 - 1 } }));
    expect([absurd.code, absurd.stdout]).toEqual([0, expect.stringContaining('memory: not known')]);
    const long = await info(smallFile({ 'llama.context_length': { type: 'uint32', value: 2 ** 25 } }));
    expect(long.stdout).toContain('memory for texts of 1\u202F024 tokens');
  });

  it('tells the LoRA adapters that are given with it, and refuses those of another architecture', async () => {
    const folder = temporaryFolder();
    const pair = { weight: 'one.weight', rank: 2, a: new Float32Array(64), b: new Float32Array(16) };
    const [tuned, other] = [
      write(loraBytes([pair], 16), 'tuned.gguf', folder),
      write(
        loraBytes([pair], 16, { 'general.architecture': { type: 'string', value: 'gemma3' } }),
        'other.gguf',
        folder,
      ),
    ];
    const told = await info(smallFile(), '--lora', `${tuned}:0.5`, '--lora', tuned);
    expect(told.code).toBe(0);
    expect(told.stdout).toMatch(
      /^LoRA adapter +\S+tuned\.gguf \(scale 0\.5, alpha 16, rank 2; 1 weight, \d+ B\)$/m,
    );
    expect(told.stdout).toMatch(/^LoRA adapter +\S+tuned\.gguf \(scale 1, /m);
    const refused = await info(smallFile(), '--lora', other);
    expect([refused.code, refused.stdout]).toEqual([2, '']);
    expect(refused.stderr).toContain('other.gguf was made for the architecture gemma3');
    const itself = await info(loraBytes([pair], 16));
    expect([itself.code, itself.stderr]).toEqual([2, expect.stringContaining('give it as --lora')]);
  });

  it('prints the template and nothing else, or says that there is none', async () => {
    expect(await info(smallFile(), '--template')).toEqual({ code: 0, stdout: `${TEMPLATE}\n`, stderr: '' });
    const none = await info(smallFile({ 'tokenizer.chat_template': undefined }), '--template');
    expect([none.code, none.stdout]).toEqual([2, '']);
    expect(none.stderr).toContain('has no chat template');
  });

  it('says what is wrong with a file, and ends with 2', async () => {
    const broken = await info(smallFile().subarray(0, 1000));
    expect([broken.code, broken.stdout]).toEqual([2, '']);
    expect(broken.stderr).toContain('truncated');
    const json = await info(Buffer.from('not a model'), '--json');
    expect(json.code).toBe(2);
    expect(JSON.parse(json.stderr).error).toMatchObject({ code: 'not_gguf' });
    const folder = temporaryFolder();
    expect((await runCli(['model', 'info'], { cwd: folder })).code).toBe(2);
    expect((await runCli(['model', 'info', 'none.gguf'], { cwd: folder })).code).toBe(2);
    const help = await runCli(['model', 'info', '--help'], { cwd: folder });
    expect([help.code, help.stderr]).toEqual([0, '']);
    expect(help.stdout).toContain('Examples:');
  });
});
