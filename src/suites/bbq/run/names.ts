/** Where result files go, by the naming of MultiBBQ: results/DATA_TOKEN/MODEL/{model}_{size}_{cell}[_suffix].json. */
import path from 'node:path';
import { parameterSize } from '../../../model/index.ts';
import { type Cell, cellName } from '../ask/index.ts';

/** What a file system and the naming take: words are parted by `_`, so a name of its own has none. */
function word(text: string): string {
  return text.replace(/[^A-Za-z0-9.-]+/g, '-').replace(/^-+|-+$/g, '') || 'model';
}

/** What a file name is split into says the cell; a model that is called so must not. */
const RESERVED: ReadonlySet<string> = new Set([
  'negative',
  'nonnegative',
  'ambiguous',
  'disambiguous',
  'text',
]);

const SIZE = /(?<![A-Za-z0-9.])(\d+(?:\.\d+)?[KMBT])(?![A-Za-z0-9])/i;

export interface ModelName {
  /** Folder of its results. */
  readonly id: string;
  /** What its files begin with: `{model}_{size}`. */
  readonly prefix: string;
}

/** `Qwen2.5-0.5B-Instruct-Q8_0` is `Qwen2.5-Instruct-Q8-0_0.5B`; without a size in its name a model has that of its parameters. */
export function modelName(modelPath: string, parameters: number | null, given?: string): ModelName {
  const stem = path.basename(modelPath).replace(/\.gguf$/i, '');
  const id = given ?? word(stem.replaceAll('_', '-'));
  const own = id.split('/').at(-1)!;
  const size = SIZE.exec(own)?.[1] ?? sizeOf(parameters);
  const rest = word(own.replace(SIZE, '').replace(/-{2,}/g, '-').replaceAll('_', '-'));
  return { id, prefix: `${RESERVED.has(rest) ? `model-${rest}` : rest}_${size}` };
}

/** 263,000 parameters are 263K; a policy has none, but a rule; an endpoint does not tell. */
function sizeOf(parameters: number | null): string {
  if (parameters === null) return 'api';
  return parameters === 0 ? 'rule' : parameterSize(parameters);
}

/** Of images in data/images/NAME/..., NAME; else the name of the data file. */
export function dataName(image: string | null, file: string): string {
  const folder = image === null ? undefined : /(?:^|\/)images\/([^/]+)\//.exec(image)?.[1];
  return word((folder ?? path.basename(file).replace(/\.[^.]*$/, '')).replaceAll(' ', '_')).replaceAll(
    '-',
    '_',
  );
}

export function resultPath(
  out: string,
  folder: string,
  { id, prefix }: ModelName,
  cell: Cell,
  suffix: string | null,
): string {
  const name = `${prefix}_${cellName(cell)}${suffix === null ? '' : `_${suffix}`}.json`;
  return path.join(out, 'results', folder, ...id.split('/'), name);
}
