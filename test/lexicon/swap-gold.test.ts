/** How often the use of "her" and "his" is told right: docs/design/lexicon.md has the figures. */
import { describe, expect, it } from 'vitest';
import { loadLexicon, swapText } from '../../src/lexicon/index.ts';
import { crowsPairs, type GoldItem, winoBias, winoGender } from './swap-gold.ts';

const lexicon = await loadLexicon('gender-en');

const right = ({ text, start, to }: GoldItem): boolean => {
  const result = swapText(lexicon, text);
  return result.ok && result.changes.find((change) => change.start === start)?.to === to;
};

/** What became of each kind of pronoun: "her > him" and so on, with the share of right ones. */
function scores(items: readonly GoldItem[]): Record<string, { n: number; right: number }> {
  const table: Record<string, { n: number; right: number }> = {};
  for (const item of items) {
    const word = /^\p{L}+/u.exec(item.text.slice(item.start))![0];
    const key = `${word} > ${item.to}`.toLowerCase();
    table[key] ??= { n: 0, right: 0 };
    table[key].n += 1;
    if (right(item)) table[key].right += 1;
  }
  return table;
}

const share = (table: Record<string, { n: number; right: number }>, keys: readonly string[]): number => {
  const parts = keys.map((key) => table[key]!);
  return parts.reduce((sum, part) => sum + part.right, 0) / parts.reduce((sum, part) => sum + part.n, 0);
};

describe('pronouns that people marked', () => {
  const bias = winoBias();
  it.skipIf(bias === null)('WinoBias: her is told in 99 of 100, the rest always', () => {
    const table = scores(bias!);
    expect(table['her > him']!.n).toBeGreaterThan(650);
    expect(table['her > his']!.n).toBeGreaterThan(140);
    expect(share(table, ['her > him', 'her > his'])).toBeGreaterThanOrEqual(0.99);
    expect(share(table, ['her > his', 'his > her', 'him > her', 'he > she', 'she > he'])).toBe(1);
  });

  const winogender = winoGender();
  it.skipIf(winogender === null)('WinoGender: all are told', () => {
    const table = scores(winogender!);
    expect(winogender!.length).toBe(480);
    expect(table['her > his']!.n).toBeGreaterThan(50);
    expect(share(table, Object.keys(table))).toBe(1);
  });

  const crows = crowsPairs();
  it.skipIf(crows === null)('CrowS-Pairs, made female: 98 of 100', () => {
    const table = scores(crows!);
    expect(table['her > his']!.n).toBeGreaterThan(150);
    expect(share(table, ['her > him', 'her > his'])).toBeGreaterThanOrEqual(0.98);
  });
});
