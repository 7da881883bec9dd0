/** `logit-audit model info` as it is installed. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { SMALL, smallFile, write } from '../gguf/files.ts';
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
    const { code, stdout, stderr } = await info(smallFile());
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).not.toContain('\u001b');
    for (const line of [
      /^name +Small \\u001b\[31mone$/m,
      /^architecture +llama$/m,
      /^shape +2 layers, 32 wide, 4 heads$/m,
      /^quantisation +F32$/m,
      /^context +128 tokens, as trained$/m,
      /^vocabulary +2.000 tokens$/m,
      /^eos token +1999 <\|end\|>$/m,
      /^control tokens +3: t0 t1 <\|end\|>$/m,
      /^puts BOS in front +no$/m,
      /^chat template +\{% for m in messages %\} \(/m,
      new RegExp(`^its SHA-256 +${HASH}$`, 'm'),
      /^KV cache, f32 +250\.0 KiB for 1,000 tokens$/m,
      /^KV cache, f16 +125\.0 KiB for 1,000 tokens$/m,
      /^logits +7\.8 KiB a row, 500\.0 KiB for 64 rows at once$/m,
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
    });
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
