import { describe, expect, it } from 'vitest';
import { formatCount, renderTable, textWidth } from '../../src/report/index.ts';
import { forScreen, wantsColor } from '../../src/report/terminal.ts';

const PLAIN = { color: false };

describe('renderTable', () => {
  it('puts numbers right and text left, with a rule under the head', () => {
    const columns = [
      { key: 'metric' },
      { key: 'value', header: 'mean' },
      { key: 'n', format: formatCount },
      { key: 'note', maxWidth: 12 },
    ];
    const rows = [
      { metric: 'CTF-gap', value: 0.0123, n: 1234, note: 'x' },
      { metric: 'JSD_swap', value: 0.5, n: 7, note: 'much too long a note' },
      { metric: 'AnsCons', value: null, n: 0, note: null },
    ];
    expect(`\n${renderTable(columns, rows, PLAIN)}\n`).toMatchInlineSnapshot(`
      "
      metric      mean      n  note
      ─────────────────────────────────────
      CTF-gap   0.0123  1 234  x
      JSD_swap   0.500      7  much too lo…
      AnsCons        –      0  –
      "
    `);
  });

  it('says when there are no rows', () => {
    expect(renderTable([{ key: 'a' }, { key: 'b' }], [], PLAIN)).toBe('a  b\n────\n(no rows)');
  });

  it('shows booleans, and a dash for what is absent or is no number', () => {
    const rows = [{ a: true }, { a: false }, { a: undefined }, {}, { a: Number.NaN }];
    expect(
      renderTable([{ key: 'a' }], rows, PLAIN)
        .split('\n')
        .slice(2),
    ).toEqual(['yes', 'no', '–', '–', '–']);
  });

  it('takes an alignment that is asked for', () => {
    const rows = [
      { a: 'x', b: 1 },
      { a: 'long', b: 22 },
    ];
    const columns = [
      { key: 'a', align: 'right' as const },
      { key: 'b', align: 'left' as const },
    ];
    expect(renderTable(columns, rows, { color: false }).split('\n').slice(2)).toEqual([
      '   x  1.00',
      'long  22.0',
    ]);
  });

  it('keeps columns straight under wide characters', () => {
    const rows = [
      { a: '東京', b: 1 },
      { a: 'x', b: 2 },
    ];
    expect(
      renderTable([{ key: 'a' }, { key: 'b' }], rows, PLAIN)
        .split('\n')
        .slice(2),
    ).toEqual(['東京  1.00', 'x     2.00']);
  });

  it.for([
    ['한국어', 6],
    ['ｆｕｌｌ', 8],
    ['e\u0301', 1],
    ['हिन्दी', 5],
    ['مرحبا', 5],
    ['👩‍👩‍👧', 2],
    ['👍🏽', 2],
    ['🇩🇪', 2],
    ['❤️', 2],
    ['1️⃣', 2],
    ['ｶﾅ', 2],
    ['\u{20000}', 2],
  ] as const)('counts the columns of %s', ([text, width]) => {
    expect(textWidth(text)).toBe(width);
  });

  it('cuts by columns, between characters as people see them', () => {
    const cut = (text: string, maxWidth: number) =>
      renderTable([{ key: 'a', maxWidth }], [{ a: text }], PLAIN).split('\n')[2];
    expect(cut('東京都庁', 5)).toBe('東京…');
    expect(cut('東京都庁', 4)).toBe('東…');
    expect(cut('👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧', 5)).toBe('👩‍👩‍👧👩‍👩‍👧…');
    expect(cut('東京', 4)).toBe('東京');
  });

  it('lets no text steer the terminal', () => {
    const text = renderTable([{ key: 'a' }], [{ a: '\u001b[31mred\u0007\nline\u202Eevil\u009b' }], PLAIN);
    expect(text.split('\n')[2]).toBe('\\u001b[31mred\\u0007 line\\u202eevil\\u009b');
  });

  it('has colour only when asked', () => {
    const rows = [{ a: 1 }];
    expect(renderTable([{ key: 'a' }], rows, PLAIN)).not.toContain('\u001b');
    expect(forScreen(renderTable([{ key: 'a' }], rows, { color: true }))).toContain('\u001b[1m');
  });
});

it('wantsColor only for a terminal that may have it', () => {
  expect(wantsColor({ isTTY: true }, {})).toBe(true);
  expect(wantsColor({ isTTY: true }, { NO_COLOR: '' })).toBe(true);
  expect(wantsColor({ isTTY: true }, { NO_COLOR: '1' })).toBe(false);
  expect(wantsColor({ isTTY: true }, { TERM: 'dumb' })).toBe(false);
  expect(wantsColor({ isTTY: false }, {})).toBe(false);
  expect(wantsColor({}, {})).toBe(false);
});
