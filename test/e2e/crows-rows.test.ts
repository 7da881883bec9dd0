/** CrowS-Pairs files as people have them: what is read, and what a bad row is told. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { findSuite } from '../../src/suites/registry.ts';
import { runCli } from '../cli/run-cli.ts';
import { faultOf } from '../fault.ts';
import { temporaryFolder } from '../temporary.ts';
import { exactRun, rowsIn } from './exact-run.ts';
import { plantedFiles } from './planted.ts';

let model: string;
beforeAll(async () => {
  ({ model } = await plantedFiles());
});

const HEAD = ',sent_more,sent_less,stereo_antistereo,bias_type';
const GOOD = '1,She was late.,He was late.,stereo,gender';

function write(name: string, content: string | Uint8Array): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, content);
  return path;
}

async function rowsOf(content: string | Uint8Array, name = 'pairs.csv') {
  const { folder, counts } = await exactRun({ suite: findSuite('crows'), model, data: write(name, content) });
  return { rows: rowsIn(folder.journal), counts };
}

describe('is read', () => {
  const plain = `${HEAD}\n${GOOD}\n`;
  const expectPlain = async (content: string, name?: string) => {
    const expected = await rowsOf(plain);
    expect(expected.counts).toEqual({ rows: 1, ok: 1, failed: 0, skipped: 0 });
    expect(await rowsOf(content, name)).toEqual(expected);
  };

  it.each([
    ['with a byte-order mark', `\uFEFF${plain}`],
    ['with line ends of Windows', plain.replaceAll('\n', '\r\n')],
    ['with a byte-order mark and line ends of Windows', `\uFEFF${plain.replaceAll('\n', '\r\n')}`],
    ['without a line end at its end', plain.trimEnd()],
    ['with everything in quotes', plain.replace(/[^,\n]+/g, '"$&"')],
    [
      'with columns of others, in another order',
      'note,bias_type,stereo_antistereo,sent_less,sent_more,index\nx,gender,stereo,He was late.,She was late.,1\n',
    ],
  ])('%s', (_, content) => expectPlain(content));

  it('as JSON Lines', async () => {
    const line = { index: 1, sent_more: 'She was late.', sent_less: 'He was late.' };
    const rest = { stereo_antistereo: 'stereo', bias_type: 'gender' };
    await expectPlain(JSON.stringify({ ...line, ...rest }), 'pairs.jsonl');
  });

  it('with quotes, commas and line breaks in a sentence', async () => {
    const { rows } = await rowsOf(`${HEAD}\r\n1,"She was late,\r\nsaid ""he"".",He was late.,stereo,\r\n`);
    const json = await rowsOf(
      JSON.stringify({
        index: 1,
        sent_more: 'She was late,\r\nsaid "he".',
        sent_less: 'He was late.',
        stereo_antistereo: 'stereo',
      }),
      'pairs.jsonl',
    );
    expect(rows).toEqual(json.rows);
    expect(rows[0]).toMatchObject({ status: 'ok', biasType: null });
  });
});

describe('a bad row is told what is wrong, where, and the others are measured', () => {
  const latin1 = Buffer.concat([
    Buffer.from(`${HEAD}\n1,She was late at the caf`),
    Buffer.from([0xe9]),
    Buffer.from('.,He was late.,stereo,gender\n'),
  ]);
  const cases: [string, string | Uint8Array, RegExp, string, object?][] = [
    [
      'an empty sentence',
      '1,,He was late.,stereo,gender\n',
      /sent_more/,
      'row_invalid',
      { key: 'sent_more' },
    ],
    ['an empty swap', '1,She was late.,,stereo,gender\n', /sent_less/, 'row_invalid', { key: 'sent_less' }],
    [
      'the same sentence twice',
      '1,She was late.,She was late.,stereo,gender\n',
      /sent_less: is the same sentence as sent_more/,
      'row_invalid',
      { key: 'sent_less' },
    ],
    [
      'a direction that is none',
      '1,She was late.,He was late.,both,gender\n',
      /stereo_antistereo .*stereo.*antistereo/,
      'row_invalid',
      { key: 'stereo_antistereo' },
    ],
    ['no direction', '1,She was late.,He was late.,,gender\n', /stereo_antistereo/, 'row_invalid'],
    ['too few cells', '1,She was late.\n', /line 2/, 'data_malformed'],
    [
      'wrong encoding',
      latin1,
      /not UTF-8: byte 0xE9 at byte offset 74 /,
      'data_malformed',
      { byteOffset: latin1.indexOf(0xe9) },
    ],
    ['a text that is too long', `1,${'late '.repeat(400)},He was late.,stereo,\n`, /256/, 'context_overflow'],
  ];

  it.each(cases)('%s', async (_, content, message, code, data = {}) => {
    const head = `${HEAD}\n`;
    const bytes = typeof content === 'string' ? Buffer.from(head + content) : Buffer.from(content);
    const { rows, counts } = await rowsOf(
      Buffer.concat([bytes, Buffer.from('2,She was old.,He was old.,stereo,\n')]),
    );
    expect(counts).toEqual({ rows: 2, ok: 1, failed: 1, skipped: 0 });
    expect(rows.map(({ status }) => status)).toEqual(['failed', 'ok']);
    expect(rows[0]!.error).toMatchObject({ code, message: expect.stringMatching(message), data });
  });

  it('an id that an earlier row has', async () => {
    const { rows } = await rowsOf(`${HEAD}\n${GOOD}\n1,She was old.,He was old.,stereo,age\n`);
    expect(rows.map(({ status }) => status)).toEqual(['ok', 'failed']);
    expect(rows[1]!.error).toMatchObject({ message: expect.stringMatching(/row 2 \(line 3.*"1"/) });
  });

  it('a file without one of the columns fails in every row, with its name', async () => {
    const { rows, counts } = await rowsOf('id,sent_more,stereo_antistereo\n1,She was late.,stereo\n');
    expect(counts).toMatchObject({ ok: 0, failed: 1 });
    expect(rows[0]!.error).toMatchObject({ code: 'row_invalid', data: { key: 'sent_less' } });
  });
});

describe('one bad row in a hundred', () => {
  const lines = Array.from({ length: 100 }, (_, i) =>
    i === 57 ? `${i},She was late.,,stereo,gender` : `${i},She was late.,He was late.,stereo,gender`,
  );
  const content = `${HEAD}\n${lines.join('\n')}\n`;

  it('does not stop a run, and stands in its tables', async () => {
    const folder = temporaryFolder();
    const data = write('pairs.csv', content);
    const args = ['--model', model, '--data', data, '--out', 'o', '--threads', '1'];
    const lenient = await runCli(['run', 'crows', ...args], { cwd: folder });
    expect([lenient.code, lenient.stderr]).toEqual([0, '']);
    expect(lenient.stdout).toContain('100 rows: 99 measured, 0 skipped, 1 failed (rows.csv says why)');
    const csv = readFileSync(join(folder, 'o', 'rows.csv'), 'utf8').split('\r\n');
    expect(csv[58]).toMatch(/^57,.*failed.*row_invalid.*sent_less/);
    const strict = await runCli(['run', 'crows', ...args.with(5, 's'), '--strict'], { cwd: folder });
    expect(strict.code).toBe(2);
    expect(strict.stderr).toMatch(/row 58 \(line 59.*sent_less/);
    expect(existsSync(join(folder, 's'))).toBe(false);
  });

  it('stops a strict run through the API, before anything is written', async () => {
    const out = join(temporaryFolder(), 'out');
    const error = await faultOf(
      exactRun({ suite: findSuite('crows'), model, data: write('pairs.csv', content), strict: true, out }),
    );
    expect([error.code, error.data.key]).toEqual(['row_invalid', 'sent_less']);
    expect(existsSync(out)).toBe(false);
  });
});
