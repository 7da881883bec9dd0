/** What `model info` shows: a model's data sheet in three tables, what it is, what it needs, what it is made of. */
import type { AdapterSummary, GgufSummary, MemoryNeed, SpecialToken } from '../gguf/index.ts';
import { type ChatDescription, type ContextShape, parameterSize } from '../model/index.ts';
import { hashTemplate } from '../prompt/index.ts';
import { ABSENT, formatBytes, formatCount, renderTable } from '../report/index.ts';

/** A LoRA adapter with the scale that was asked. */
export type AppliedAdapter = AdapterSummary & { readonly scale: number };

/** The memory that a model would take, and the context that it is for. */
export interface NeededMemory {
  readonly shape: ContextShape;
  readonly kvType: 'f32' | 'f16';
  readonly bytes: MemoryNeed;
}

/** Or why it is not known. */
export type Memory = NeededMemory | { readonly unknown: string };

/** Enough of the control tokens to know them by. */
const CONTROL_TOKENS = 4;
/** Enough of a template to know it by. */
const TEMPLATE_CHARACTERS = 60;

export function describeModelFile(
  summary: GgufSummary,
  adapters: readonly AppliedAdapter[],
  memory: Memory,
  chats: ChatDescription | null,
): string {
  const lines = [
    ...whatItIs(summary),
    ...adapterLines(adapters),
    ...howItReads(summary),
    ...(chats === null ? [] : chatLines(chats)),
  ];
  const head = renderTable(
    [
      { key: 'what', header: 'model' },
      { key: 'value', header: summary.path },
    ],
    lines.map(([what, value]) => ({ what, value })),
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
  return [head, memoryTable(memory), types].join('\n\n');
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
    ['parameters', `${parameterSize(summary.parameters)} (${formatCount(summary.parameters)}, counted)`],
    ['quantisation', summary.quantisation ?? ABSENT],
    [
      'file size',
      parts.length === 1 ? formatBytes(size) : `${formatBytes(size)} in ${formatCount(parts.length)} parts`,
    ],
    ['context', `${formatCount(summary.trainedContextLength)} tokens, as trained`],
  ];
}

function adapterLines(adapters: readonly AppliedAdapter[]): Line[] {
  if (adapters.length === 0) return [['LoRA adapters', 'none']];
  return adapters.map(({ path, scale, alpha, rank, weights, bytes }) => {
    const ranks = rank.least === rank.most ? `${rank.least}` : `${rank.least} to ${rank.most}`;
    const numbers = `scale ${scale}, alpha ${alpha ?? ABSENT}, rank ${ranks}`;
    return [
      'LoRA adapter',
      `${path} (${numbers}; ${formatCount(weights)} ${weights === 1 ? 'weight' : 'weights'}, ${formatBytes(bytes)})`,
    ] as const;
  });
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

function chatLines({ systemRole, content, date, error }: ChatDescription): Line[] {
  if (error !== null) return [['its chats', `cannot be rendered: ${error}`]];
  return [
    [
      'system messages',
      systemRole === 'keep' ? 'taken' : "not taken: they stand in front of the user's message",
    ],
    ...(content === 'parts' ? [['content', 'as a list of parts'] as const] : []),
    ...(date === null ? [] : [['date', `${date}, where none is given (--date)`] as const]),
  ];
}

function memoryTable(memory: Memory): string {
  if ('unknown' in memory) return `memory: not known, ${memory.unknown}`;
  const { shape, kvType, bytes } = memory;
  const lines: (readonly [what: string, bytes: number | null])[] = [
    ['weights', bytes.weights],
    [`KV cache, ${kvType}, ${formatCount(shape.cells)} tokens: both sides of a pair`, bytes.kvCache],
    [`logits, ${formatCount(shape.outputs)} rows at once`, bytes.logits],
    ...(bytes.metrics === 0 ? [] : [[`metrics by ${shape.metricsImpl}`, bytes.metrics] as const]),
    [`work space for ${formatCount(shape.graphTokens)} tokens at once, about`, bytes.workSpace],
    ['together, about', bytes.total],
  ];
  return renderTable(
    [
      {
        key: 'what',
        header: `memory for texts of ${formatCount(shape.contextLength)} tokens, device ${shape.devices.join(', ')}`,
      },
      { key: 'size', align: 'right' },
    ],
    lines.map(([what, size]) => ({ what, size: formatBytes(size) })),
  );
}
