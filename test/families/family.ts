/**
 * Small models of three families of tokenizers, written by the tests to a folder that goes away with them. What each
 * must do is told by the oracle, which reads the same files with a reader and tokenizers of its own.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type GgufValue, ggufBytes } from '../../src/demo/planted/gguf.ts';
import { type LocalModel, type ModelOptions, openModel } from '../../src/model/index.ts';
import type { Observations } from '../../src/observation/observation.ts';
import { OracleLlama } from '../oracle/forward.ts';
import { type OracleGguf, readGgufFile } from '../oracle/gguf.ts';
import { type OracleTokenizer, oracleTokenizer } from '../oracle/tokenizer.ts';
import { BOS, bpe, CONTROLS, spm, unigram, type Vocabulary } from './vocabularies.ts';
import { architecture, randomTensors } from './weights.ts';

const folder = mkdtempSync(join(tmpdir(), 'logit-audit-families-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

interface FamilyOptions {
  readonly name: string;
  readonly vocabulary: Vocabulary;
  readonly addsBos: boolean;
  /** Further `tokenizer.ggml.*` flags of the file. */
  readonly flags?: Readonly<Record<string, boolean>>;
}

/** One kind of model: a vocabulary and what its file says about BOS and spaces. */
export class Family {
  readonly name: string;
  readonly addsBos: boolean;
  readonly vocabulary: Vocabulary;
  readonly #flags: Readonly<Record<string, boolean>>;
  #path: string | undefined;
  #oracle: Oracle | undefined;

  constructor({ name, vocabulary, addsBos, flags = {} }: FamilyOptions) {
    this.name = name;
    this.addsBos = addsBos;
    this.vocabulary = vocabulary;
    this.#flags = flags;
  }

  /** The model's file, without a chat template. */
  get path(): string {
    this.#path ??= this.write('plain');
    return this.#path;
  }

  get oracle(): Oracle {
    this.#oracle ??= new Oracle(readGgufFile(this.path), this);
    return this.#oracle;
  }

  /** Writes a file of this family, with a chat template where one is given; gives its path. */
  write(file: string, template?: string): string {
    const { tokens, metadata } = this.vocabulary;
    const flags = Object.entries({ add_bos_token: this.addsBos, ...this.#flags });
    const keys = new Map<string, GgufValue>([
      ...architecture(tokens.length),
      ...metadata,
      ...flags.map(([key, value]) => [`tokenizer.ggml.${key}`, { type: 'bool', value }] as const),
    ]);
    if (template !== undefined) keys.set('tokenizer.chat_template', { type: 'string', value: template });
    const path = join(folder, `${this.name.replaceAll(/\W+/g, '-')}-${file}.gguf`);
    writeFileSync(path, ggufBytes(keys, randomTensors(tokens.length, 1)));
    return path;
  }

  /** Opens the model in this process, on one thread. */
  open(options: ModelOptions = {}, path: string = this.path): Promise<LocalModel> {
    return openModel(path, { inProcess: true, threads: 1, ...options });
  }

  /** Id of a control token. */
  id(text: (typeof CONTROLS)[number]): number {
    return this.vocabulary.tokens.indexOf(text);
  }
}

/** What a family's model must do, worked out from its file. */
export class Oracle {
  readonly llama: OracleLlama;
  readonly #tokenizer: OracleTokenizer;
  readonly #family: Family;

  constructor(gguf: OracleGguf, family: Family) {
    this.llama = new OracleLlama(gguf);
    this.#tokenizer = oracleTokenizer(gguf);
    this.#family = family;
  }

  /** Token ids of a text as data: its BOS, where the model wants one, and then nothing but text. */
  data(text: string): number[] {
    return [...this.#front(), ...this.#tokenizer.plain(text)];
  }

  /** Token ids of a rendered chat: control tokens where their texts stand, BOS in front once. */
  chat(text: string): number[] {
    const cut = new RegExp(`(${CONTROLS.map((control) => control.replaceAll('|', '\\|')).join('|')})`);
    const parts = text.split(cut).filter((part) => part !== '');
    const ids = parts.flatMap((part) => {
      const control = CONTROLS.find((token) => token === part);
      return control ? [this.#family.id(control)] : this.#tokenizer.plain(part);
    });
    return ids[0] === this.#family.id(BOS) ? ids : [...this.#front(), ...ids];
  }

  #front(): number[] {
    return this.#family.addsBos ? [this.#family.id(BOS)] : [];
  }
}

/** Token ids of every text of every request, in order. */
export function sequencesOf({ sequences }: Observations): number[][] {
  return Array.from({ length: sequences.sequences }, (_, index) => [
    ...sequences.ids.subarray(sequences.offsets[index], sequences.offsets[index + 1]),
  ]);
}

export const FAMILIES: readonly Family[] = [
  new Family({ name: 'SPM', vocabulary: spm(), addsBos: true }),
  new Family({
    name: 'SPM without a space in front',
    vocabulary: spm(),
    addsBos: false,
    flags: { add_space_prefix: false },
  }),
  new Family({ name: 'BPE (gpt-2)', vocabulary: bpe('gpt-2'), addsBos: true }),
  new Family({ name: 'BPE (llama-bpe)', vocabulary: bpe('llama-bpe'), addsBos: false }),
  new Family({
    name: 'unigram',
    vocabulary: unigram(),
    addsBos: false,
    flags: { add_space_prefix: true, remove_extra_whitespaces: true },
  }),
  new Family({ name: 'unigram without a space in front', vocabulary: unigram(), addsBos: true }),
];
