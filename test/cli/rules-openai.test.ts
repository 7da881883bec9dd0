/** `run rules` on API models as a user meets it: the real command against a real server on loopback, killed at any moment. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { madeDocument } from '../rules/made.ts';
import { PNG } from '../server/png.ts';
import { type Brain, LoopbackServer, type SentRequest } from '../server/server.ts';
import { temporaryFolder } from '../temporary.ts';
import { type CliOptions, runCli } from './run-cli.ts';

let cwd: string;
beforeEach(() => {
  cwd = temporaryFolder();
  writeFileSync(join(cwd, 'test.json'), JSON.stringify(madeDocument('test', 6)));
});

const PLACE = 'output/eval/tiny/test/submission/cot_prompt';

/** The last message is what is asked for; a question is about one comment. */
const isFinal = ({ body }: SentRequest) =>
  String(body.prompt ?? body.messages!.at(-1)!.content)
    .trimEnd()
    .endsWith('Choice:') || (body.messages?.length ?? 0) > 1;

/** It thinks aloud, and then chooses by the length of what it is asked. */
const brain: Brain = (request) => {
  const text = JSON.stringify(request.body.messages ?? request.body.prompt);
  return isFinal(request)
    ? { text: `(${'abcd'[text.length % 4]})`, inputTokens: 20, outputTokens: 3 }
    : { text: `I have read ${text.length} characters.`, inputTokens: 10, outputTokens: 6 };
};

const rules = (server: LoopbackServer, ...more: string[]) => [
  ...['run', 'rules', '--model', 'openai:tiny', '--base-url', server.url, '--data', 'test.json'],
  ...['--context', 'submission', '--phrase', 'cot', '--mode', 'prompt', '--resamples', '200', ...more],
];
const cli = (args: string[], more: Partial<CliOptions> = {}) => runCli(args, { cwd, ...more });

const namesIn = (folder: string) =>
  readdirSync(join(cwd, folder))
    .map((name) => name.replace(/\d{8}_\d{6}/, 'TIME'))
    .sort();

describe('run rules on an API model', () => {
  it('asks in two turns, tells what it cost, and keeps results', async () => {
    await using server = await LoopbackServer.start({ brain });
    writeFileSync(join(cwd, 'prices.json'), JSON.stringify({ tiny: { input: 1, output: 10 } }));
    const { code, stdout, stderr } = await cli(rules(server, '--prices', 'prices.json'));
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('24 answers from the endpoint; tokens: 360 in, 108 out; cost: 0.00144');
    console.log(
      stdout,
      namesIn(PLACE),
      JSON.stringify(server.requests[0]),
      JSON.stringify(server.requests.at(-1)),
    );
  });
});
