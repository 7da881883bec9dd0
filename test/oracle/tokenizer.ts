/** The oracle's tokenizer of a file, whichever family it is of. */

import { OracleBpe } from './bpe.ts';
import type { OracleGguf } from './gguf.ts';
import { OracleSpm } from './spm.ts';
import { OracleUnigram } from './unigram.ts';

export interface OracleTokenizer {
  /** Token ids of a text, nothing in front, special tokens' texts read as text. */
  plain(text: string): number[];
}

export function oracleTokenizer(gguf: OracleGguf): OracleTokenizer {
  const model = gguf.metadata.get('tokenizer.ggml.model');
  switch (model) {
    case 'llama':
      return new OracleSpm(gguf);
    case 'gpt2':
      return new OracleBpe(gguf);
    case 't5':
      return new OracleUnigram(gguf);
    default:
      throw new Error(`tokenizers of the kind "${model}" are not known here`);
  }
}
