/** `logit-audit model info`: what a model file is and needs, without loading it. */
import type { Command } from 'commander';
import { AuditError, toAuditError } from '../errors.ts';
import {
  type AdapterSummary,
  type GgufSummary,
  memoryNeed,
  summarizeAdapter,
  summarizeGguf,
} from '../gguf/index.ts';
import { type ChatDescription, type ContextShape, contextShape, describeTemplate } from '../model/index.ts';
import { hashTemplate } from '../prompt/index.ts';
import { print, printFile } from '../report/terminal.ts';
import { runAction } from '../shell/exit.ts';
import { type EngineFlags, engineOptions, withEngineOptions } from '../shell/options.ts';
import { type AppliedAdapter, describeModelFile, type Memory } from './model-sheet.ts';

/** What decides over memory, and the adapters that a model would be opened with. */
const ENGINE_FLAGS = ['ctx', 'kvType', 'flashAttention', 'batch', 'device', 'metricsImpl', 'lora'] as const;

interface InfoFlags extends Pick<EngineFlags, (typeof ENGINE_FLAGS)[number]> {
  json?: boolean;
  template?: boolean;
}

const EXAMPLES = `
Examples:
  logit-audit model info model.gguf
  logit-audit model info model-00001-of-00003.gguf       the first of several parts
  logit-audit model info model.gguf --ctx 8192           the memory for texts as long as this
  logit-audit model info model.gguf --lora tuned.gguf    with a LoRA adapter
  logit-audit model info model.gguf --template           the whole chat template, as it is
  logit-audit model info model.gguf --json | jq .vocabSize

Exit codes: 0 done, 1 something broke, 2 the file cannot be used (or has no template, with --template).`;

export function addModelCommand(program: Command): void {
  const model = program
    .command('model')
    .summary('look at model files')
    .description('What model files are. They are read, not loaded.')
    .addHelpText('after', EXAMPLES);
  const command = model
    .command('info')
    .summary('what a model is and what memory it needs')
    .description(
      'Reads the header of a GGUF file: architecture, size, quantisation, vocabulary, special tokens, template, memory.',
    )
    .argument('<file>', 'GGUF model; of a model in parts, the first')
    .option('--template', 'print the chat template and nothing else')
    .option('--json', 'print everything as JSON, the chat template included');
  withEngineOptions(command, ENGINE_FLAGS)
    .addHelpText('after', EXAMPLES)
    .action((file: string, flags: InfoFlags) =>
      runAction({ json: flags.json === true }, () => info(file, flags)),
    );
}

async function info(file: string, flags: InfoFlags): Promise<void> {
  const summary = await summarizeGguf(file);
  if (flags.template) {
    printFile(Buffer.from(`${templateOf(summary)}\n`));
    return;
  }
  const adapters = await adaptersOf(summary, flags);
  const memory = neededMemory(summary, adapters, flags);
  const { chatTemplate, path } = summary;
  const chats = chatTemplate?.trim() ? await describeTemplate(chatTemplate, path) : null;
  const text = flags.json
    ? JSON.stringify(forPrograms(summary, adapters, memory, chats), null, 2)
    : describeModelFile(summary, adapters, memory, chats);
  print(`${text}\n`);
}

async function adaptersOf(
  { architecture, path: model }: GgufSummary,
  { lora = [] }: InfoFlags,
): Promise<AppliedAdapter[]> {
  const adapters: AppliedAdapter[] = [];
  for (const { path, scale = 1 } of lora) {
    const adapter = await summarizeAdapter(path);
    if (adapter.architecture !== architecture) {
      const message = `${path} was made for the architecture ${adapter.architecture}, and ${model} is of ${architecture}`;
      throw new AuditError('model_invalid', message, { file: path });
    }
    adapters.push({ ...adapter, scale });
  }
  return adapters;
}

/** Lengths and sizes as llama.cpp keeps them; a damaged file may say anything. */
function isSize(value: number | null): value is number {
  return value !== null && Number.isInteger(value) && value >= 1 && value < 2 ** 31;
}

/** What the engine would take with these options. */
function neededMemory(summary: GgufSummary, adapters: readonly AdapterSummary[], flags: InfoFlags): Memory {
  const { vocabSize, trainedContextLength, weightBytes } = summary;
  if (!isSize(vocabSize) || !isSize(trainedContextLength))
    return { unknown: 'the file does not say how long its texts or how large its vocabulary is' };
  const { kvType = 'f32', flashAttention = false } = flags;
  let shape: ContextShape;
  try {
    shape = contextShape(engineOptions(flags), { vocabSize, trainedContextLength });
  } catch (thrown) {
    const error = toAuditError(thrown);
    if (error.code !== 'addon_missing') throw error;
    return { unknown: error.message };
  }
  const adapterBytes = adapters.reduce((sum, { bytes }) => sum + bytes, 0);
  const weights = weightBytes === null ? null : weightBytes + adapterBytes;
  const bytes = memoryNeed({ ...summary, weightBytes: weights }, shape, { kvType, flashAttention });
  return { shape, kvType, bytes };
}

/** The template as it is, or as a terminal may have it. */
function templateOf({ chatTemplate, path }: GgufSummary): string {
  if (chatTemplate === null) {
    throw new AuditError('no_chat_template', `${path} has no chat template`, { file: path });
  }
  return chatTemplate;
}

function forPrograms(
  { chatTemplate, ...summary }: GgufSummary,
  adapters: readonly AppliedAdapter[],
  memory: Memory,
  chats: ChatDescription | null,
): unknown {
  return {
    ...summary,
    chatTemplate:
      chatTemplate === null ? null : { sha256: hashTemplate(chatTemplate), template: chatTemplate },
    chats,
    adapters,
    memory: 'unknown' in memory ? memory : { ...memory.shape, kvType: memory.kvType, bytes: memory.bytes },
  };
}
