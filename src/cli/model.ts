/** `logit-audit model info`: what a model file is and needs, without loading it. */
import type { Command } from 'commander';
import { AuditError } from '../errors.ts';
import { type GgufSummary, type SpecialToken, summarizeGguf } from '../gguf/index.ts';
import { hashTemplate } from '../prompt/index.ts';
import { ABSENT, formatBytes, formatCount, renderTable } from '../report/index.ts';
import { runAction } from './exit.ts';

interface InfoFlags {
  json?: boolean;
  template?: boolean;
}

/** Rows of logits that the engine holds at once, at most: the sequences of a batch. */
const ROWS_IN_BATCH = 64;
/** Enough of the control tokens to know them by. */
const CONTROL_TOKENS = 4;
/** Enough of a template to know it by. */
const TEMPLATE_CHARACTERS = 60;

const EXAMPLES = `
Examples:
  logit-audit model info model.gguf
  logit-audit model info model-00001-of-00003.gguf       the first of several parts
  logit-audit model info model.gguf --template           the whole chat template, as it is
  logit-audit model info model.gguf --json | jq .vocabSize

Exit codes: 0 done, 1 something broke, 2 the file cannot be used (or has no template, with --template).`;

export function addModelCommand(program: Command): void {
  const model = program
    .command('model')
    .summary('look at model files')
    .description('What model files are. They are read, not loaded.')
    .addHelpText('after', EXAMPLES);
  model
    .command('info')
    .summary('what a model is and what memory it needs')
    .description(
      'Reads the header of a GGUF file: architecture, size, quantisation, vocabulary, special tokens, template, memory.',
    )
    .argument('<file>', 'GGUF model; of a model in parts, the first')
    .option('--template', 'print the chat template and nothing else')
    .option('--json', 'print everything as JSON, the chat template included')
    .addHelpText('after', EXAMPLES)
    .action((file: string, flags: InfoFlags) =>
      runAction({ json: flags.json === true }, () => info(file, flags)),
    );
}

async function info(file: string, flags: InfoFlags): Promise<void> {
  const summary = await summarizeGguf(file);
  if (flags.template) process.stdout.write(`${templateOf(summary)}\n`);
  else if (flags.json) process.stdout.write(`${JSON.stringify(forPrograms(summary), null, 2)}\n`);
  else process.stdout.write(`${describe(summary)}\n`);
}

/** The template; on a terminal without the control characters that could steer it. */
function templateOf({ chatTemplate, path }: GgufSummary): string {
  if (chatTemplate === null) {
    throw new AuditError('no_chat_template', `${path} has no chat template`, { file: path });
  }
  if (!process.stdout.isTTY) return chatTemplate;
  return chatTemplate.replace(/[^\P{Cc}\n\t]/gu, (character) => {
    return `\\u${character.codePointAt(0)!.toString(16).padStart(4, '0')}`;
  });
}

function forPrograms({ chatTemplate, ...summary }: GgufSummary): unknown {
  return {
    ...summary,
    chatTemplate:
      chatTemplate === null ? null : { sha256: hashTemplate(chatTemplate), template: chatTemplate },
  };
}

function describe(summary: GgufSummary): string {
  const rows = [...whatItIs(summary), ...howItReads(summary), ...whatItNeeds(summary)];
  const head = renderTable(
    [
      { key: 'what', header: 'model' },
      { key: 'value', header: summary.path },
    ],
    rows.map(([what, value]) => ({ what, value })),
  );
  const types = renderTable(
    [
      { key: 'type', header: 'tensor type' },
      { key: 'tensors', format: formatCount },
      { key: 'parameters', format: formatCount },
      { key: 'size', align: 'right' },
    ],
    summary.tensorTypes.map(({ bytes, ...count }) => ({ ...count, size: formatBytes(bytes) })),
  );
  return `${head}\n\n${types}`;
}

type Line = readonly [what: string, value: string];

function whatItIs(summary: GgufSummary): Line[] {
  const { parts, architecture, name, licence, layers, embeddingLength, heads } = summary;
  const size = parts.reduce((sum, { bytes }) => sum + bytes, 0);
  return [
    ['name', name ?? ABSENT],
    ['licence', licence ?? ABSENT],
    ['architecture', architecture],
    [
      'shape',
      `${formatCount(layers)} layers, ${formatCount(embeddingLength)} wide, ${formatCount(heads)} heads`,
    ],
    ['parameters', formatCount(summary.parameters)],
    ['quantisation', summary.quantisation ?? ABSENT],
    [
      'file size',
      parts.length === 1 ? formatBytes(size) : `${formatBytes(size)} in ${formatCount(parts.length)} parts`,
    ],
    ['context', `${formatCount(summary.trainedContextLength)} tokens, as trained`],
  ];
}

function howItReads(summary: GgufSummary): Line[] {
  const { tokenizer, preTokenizer, vocabSize, specialTokens, controlTokens, addsBos, addsEos, chatTemplate } =
    summary;
  const adds = (flag: boolean | null) =>
    flag === null ? "by the tokenizer's own rule" : flag ? 'yes' : 'no';
  return [
    ['tokenizer', preTokenizer === null ? (tokenizer ?? ABSENT) : `${tokenizer ?? ABSENT} (${preTokenizer})`],
    ['vocabulary', `${formatCount(vocabSize)} tokens`],
    ...specialTokens.map((token): Line => [`${token.name.replaceAll('_', ' ')} token`, tokenText(token)]),
    ['control tokens', controlTokenText(controlTokens)],
    ['puts BOS in front', adds(addsBos)],
    ['puts EOS at the end', adds(addsEos)],
    ...templateLines(chatTemplate),
  ];
}

function tokenText({ id, text }: SpecialToken): string {
  return text === null ? `${id} (not in the vocabulary)` : `${id} ${text}`;
}

function controlTokenText(tokens: GgufSummary['controlTokens']): string {
  if (tokens === null) return ABSENT;
  const shown = tokens.slice(0, CONTROL_TOKENS).join(' ');
  const rest = tokens.length > CONTROL_TOKENS ? ' … (--json lists all)' : '';
  return tokens.length === 0 ? 'none' : `${formatCount(tokens.length)}: ${shown}${rest}`;
}

function templateLines(template: string | null): Line[] {
  if (template === null) return [['chat template', 'none']];
  const first = template.trimStart().split('\n', 1)[0]!;
  const shown = first.length > TEMPLATE_CHARACTERS ? `${first.slice(0, TEMPLATE_CHARACTERS)}…` : first;
  return [
    ['chat template', `${shown} (${formatCount(template.length)} characters; --template prints it)`],
    ['its SHA-256', hashTemplate(template)],
  ];
}

function whatItNeeds({ weightBytes, kv, logitsBytesPerRow }: GgufSummary): Line[] {
  const cache = kv?.bytesPer1000Tokens;
  const window = kv?.slidingWindow;
  const most = window ? ` at most (some layers keep ${formatCount(window)} tokens)` : '';
  const batch = logitsBytesPerRow === null ? null : logitsBytesPerRow * ROWS_IN_BATCH;
  return [
    ['memory for weights', formatBytes(weightBytes)],
    ['KV cache, f32', `${formatBytes(cache?.f32)} for 1,000 tokens${most}`],
    ['KV cache, f16', `${formatBytes(cache?.f16)} for 1,000 tokens${most}`],
    [
      'logits',
      `${formatBytes(logitsBytesPerRow)} a row, ${formatBytes(batch)} for ${ROWS_IN_BATCH} rows at once`,
    ],
  ];
}
