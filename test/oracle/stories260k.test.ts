/**
 * The oracle's reader, tokenizer and forward pass on a real, small model, against values that PyTorch and sentencepiece
 * gave: what makes the oracle fit to judge the planted model.
 */

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { OracleLlama } from './forward.ts';
import { type OracleGguf, readGgufFile } from './gguf.ts';
import { jsd, mass, softmax } from './metrics.ts';
import { sharedFile } from './shared.ts';
import { OracleSpm } from './spm.ts';

/** The published values have six digits. */
const SIX_DIGITS = 1e-5;
/** The largest difference seen is 3e-8; it looks like a float32 step within the reference's run, but was not traced. */
const REFERENCE_ROUNDING = 1e-7;

interface ProbeFile {
  readonly groups: { readonly female: number[]; readonly male: number[] };
  readonly rows: readonly {
    readonly probePrefix: string;
    readonly probePrefixSwap: string;
    readonly massFemale: number;
    readonly massMale: number;
    readonly jsdSwap: number;
  }[];
}

const modelPath = sharedFile('models/stories260K.gguf');
const probePath = sharedFile('vectors/stories260K/ctf_probe.json');

describe.skipIf(modelPath === null || probePath === null)('stories260K', () => {
  const load = (): { gguf: OracleGguf; llama: OracleLlama; spm: OracleSpm } => {
    const gguf = readGgufFile(modelPath ?? '');
    return { gguf, llama: new OracleLlama(gguf), spm: new OracleSpm(gguf) };
  };

  test('tokenizes as sentencepiece does', () => {
    const { spm } = load();
    expect(spm.tokenize('The nurse said that')).toEqual([1, 291, 297, 425, 420, 372, 336, 351]);
    expect(spm.tokenize('Once upon a time')).toEqual([1, 403, 407, 261, 378]);
  });

  test('gives the known next-token probabilities', () => {
    const { llama, spm } = load();
    const nurse = softmax([...llama.forward(spm.tokenize('The nurse said that')).logits]);
    expect(Math.abs(nurse[281]! - 0.133278)).toBeLessThan(SIX_DIGITS);
    expect(Math.abs(nurse[358]! - 0.144517)).toBeLessThan(SIX_DIGITS);
    expect(Math.abs(nurse[311]! - 0.0365446)).toBeLessThan(SIX_DIGITS);
    const once = softmax([...llama.forward(spm.tokenize('Once upon a time')).logits]);
    expect(Math.abs(once[432]! - 0.968794)).toBeLessThan(SIX_DIGITS);
    expect(Math.abs(once[383]! - 0.028729)).toBeLessThan(SIX_DIGITS);
  });

  test('meets the float64 reference at the probe step', () => {
    const { llama, spm } = load();
    const { groups, rows } = JSON.parse(readFileSync(probePath ?? '', 'utf8')) as ProbeFile;
    for (const row of rows.filter((_, i) => i % 6 === 0)) {
      const p = softmax([...llama.forward(spm.tokenize(row.probePrefix)).logits]);
      const q = softmax([...llama.forward(spm.tokenize(row.probePrefixSwap)).logits]);
      expect(Math.abs(mass(p, groups.female) - row.massFemale)).toBeLessThan(REFERENCE_ROUNDING);
      expect(Math.abs(mass(p, groups.male) - row.massMale)).toBeLessThan(REFERENCE_ROUNDING);
      expect(Math.abs(jsd(p, q) - row.jsdSwap)).toBeLessThan(REFERENCE_ROUNDING);
    }
  });
});
