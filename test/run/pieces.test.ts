import { describe, expect, it } from 'vitest';
import type { ObservedRequest } from '../../src/contract/index.ts';
import { AuditError } from '../../src/errors.ts';
import { Pieces } from '../../src/run/pieces.ts';

/** Says `<id>` of every token, and remembers what it was asked. */
function tokenizer() {
  const asked: number[][] = [];
  return {
    asked,
    pieces: async (tokens: ArrayLike<number>) => {
      asked.push(Array.from(tokens));
      return Array.from(tokens, (id) => `<${id}>`);
    },
  };
}

function answer(texts: number[][], generated: number[] | null = null): ObservedRequest {
  return {
    texts: texts.map((tokenIds) => ({ tokenIds, backedOff: false })),
    steps: [],
    pairs: [],
    scores: [],
    targets: [],
    embedding: null,
    generation: generated && {
      text: '',
      finish: 'length',
      tokens: generated.length,
      tokenIds: generated,
      logProb: 0,
    },
  };
}

const piecesOf = (added: readonly (ObservedRequest | AuditError)[]) =>
  added.map((one) => (one instanceof AuditError ? one : one.texts.map(({ pieces }) => pieces)));

describe('the pieces of observed texts', () => {
  it('stand beside the tokens of texts and of what was generated', async () => {
    const before = answer(
      [
        [1, 5],
        [1, 6, 5],
      ],
      [7, 5],
    );
    const [after] = await new Pieces(tokenizer()).addTo([before]);
    if (after instanceof AuditError) throw after;
    expect(after!.texts.map(({ pieces }) => pieces)).toEqual([
      ['<1>', '<5>'],
      ['<1>', '<6>', '<5>'],
    ]);
    expect(after!.generation!.pieces).toEqual(['<7>', '<5>']);
    expect(after).toEqual({
      ...before,
      texts: before.texts.map((text, side) => ({ ...text, pieces: after!.texts[side]!.pieces })),
      generation: { ...before.generation, pieces: ['<7>', '<5>'] },
    });
    expect(before.texts[0]).not.toHaveProperty('pieces');
  });

  it('ask for each token once, over all windows, and for none where none is new', async () => {
    const source = tokenizer();
    const pieces = new Pieces(source);
    await pieces.addTo([answer([[3, 3, 4]]), answer([[4, 5]])]);
    await pieces.addTo([answer([[5, 6, 3]], [6])]);
    expect(piecesOf(await pieces.addTo([answer([[6, 4]])]))).toEqual([[['<6>', '<4>']]]);
    await pieces.addTo([]);
    expect(source.asked).toEqual([[3, 4, 5], [6]]);
  });

  it('leave what failed where it stands', async () => {
    const error = new AuditError('context_overflow', 'too long');
    const added = await new Pieces(tokenizer()).addTo([answer([[1]]), error, answer([[2]])]);
    expect(piecesOf(added)).toEqual([[['<1>']], error, [['<2>']]]);
  });
});
