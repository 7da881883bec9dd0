/**
 * npm run bench -- metrics|engine|retrieval: runs one benchmark by name. With --json each result is one line of JSON, for programs;
 * otherwise a table grows. `npm run bench -- --help` says the rest.
 */
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { Argument, Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import type { MetricsImpl } from '../src/native/engine.ts';
import { ENGINE_PARTS, type EngineBenchOptions, engineBench } from './engine.bench.ts';
import { metricsBench } from './metrics.bench.ts';
import { printer } from './print.ts';
import { retrievalBench } from './retrieval.bench.ts';

// Compiled, this file lies in build/bench/js/bench.
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../../..');
const JSON_LINES = ['--json', 'a line of JSON for each result, instead of a table'] as const;

interface EngineFlags {
  model?: string;
  threads?: number;
  data?: string;
  limit: number;
  metricsImpl?: MetricsImpl;
  peers?: string;
  json?: boolean;
}

function wholeNumber(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value) || value < 1) {
    throw new InvalidArgumentError('Give a whole number from 1.');
  }
  return value;
}

async function print(lines: AsyncIterable<object>, { json = false }: { json?: boolean }): Promise<void> {
  const show = printer({ json });
  for await (const line of lines) show(line);
}

const program = new Command('npm run bench --')
  .description('Benchmarks of logit-audit. Ratios within one run: seconds mean nothing on another machine.')
  .showHelpAfterError('(add --help for what there is)');

program
  .command('metrics')
  .description('the metrics next to a plain read of the same memory, native loops and JavaScript')
  .option(...JSON_LINES)
  .option(
    '--vocab <n>',
    'entries of the vocabulary; give it again for several (default: those of four models)',
    (text: string, before: number[] = []) => [...before, wholeNumber(text)],
  )
  .action(({ vocab, ...output }: { vocab?: number[]; json?: boolean }) =>
    print(metricsBench({ root, ...(vocab && { vocabularies: vocab }) }), output),
  );

program
  .command('engine')
  .description(
    'an audit next to decoding alone, to a loop without prefixes, to sums in JavaScript, and beside busy processes',
  )
  .addArgument(new Argument('[parts...]', 'which of them').choices(ENGINE_PARTS).default(ENGINE_PARTS, 'all'))
  .option(...JSON_LINES)
  .option('--model <file>', 'GGUF model (default: the one that "npm run test:model" fetches, if it did)')
  .option('--data <dir>', 'folder of crows-pairs, winogender and bbq (default: ../shared/datasets)')
  .option('--limit <n>', 'rows of each data set that are timed', wholeNumber, 12)
  .option('--threads <n>', 'CPU threads (default: all)', wholeNumber)
  .addOption(
    new Option('--metrics-impl <name>', 'who reduces logits (default: auto)').choices([
      'auto',
      'cpu',
      'graph',
      'cuda',
      'metal',
    ]),
  )
  .addOption(
    new Option('--peers <dir>', 'where bench/peers.mjs has installed other bindings').env(
      'LOGIT_AUDIT_BENCH_PEERS',
    ),
  )
  .action((parts: EngineBenchOptions['parts'], options: EngineFlags) => {
    const { model, threads, data, limit, metricsImpl, peers } = options;
    return print(engineBench({ root, parts, model, threads, data, limit, metricsImpl, peers }), options);
  });

program
  .command('retrieval')
  .description('the comparison of vectors next to a loop in JavaScript')
  .option(...JSON_LINES)
  .action((output: { json?: boolean }) => print(retrievalBench({ root }), output));

program.exitOverride();
for (const command of program.commands) command.exitOverride();

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    // commander has told the fault; help is none.
    process.exitCode = error.exitCode === 0 ? 0 : 2;
  } else {
    // Faults with a code say what to do; any other is a fault of the benchmark, and its place is wanted.
    const told = error instanceof Error && 'code' in error;
    console.error(told ? error.message : error);
    process.exitCode = 1;
  }
}
