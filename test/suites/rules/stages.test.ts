/** What the second stage goes on from, and how examples are shown. */
import { beforeAll, describe, expect, it } from 'vitest';
import {
  carriedText,
  conversationOf,
  exampleAnswer,
  loadRulesTables,
  parseContext,
  type RulesExample,
  type RulesPair,
  type RulesTables,
  type ThreadType,
} from '../../../src/suites/rules/index.ts';
import { sharedPairs } from './data.ts';
import { VECTORS, vector } from './vectors.ts';

let tables: RulesTables;
beforeAll(async () => {
  tables = await loadRulesTables('/no/such/folder');
});

interface Vectors {
  stage2_carry: { prompt_tail: string; stage1: string; carried: string }[];
  few_shot: {
    pair: string;
    thread: ThreadType;
    context: string;
    inline: boolean;
    examples: string[];
    messages: { role: string; holds: string[]; ends_with_letter?: string }[];
  }[];
}

describe('the text that is carried', () => {
  it.skipIf(VECTORS === null)('is that of the original', () => {
    const { stage2_carry: cases } = vector<Vectors>('prompts.json');
    expect(cases.length).toBe(24);
    const carried = cases.map(({ prompt_tail, stage1 }) => carriedText(prompt_tail, stage1));
    expect(carried).toEqual(cases.map((one) => one.carried));
  });

  it('closes a thought that was opened again, and one that the prompt has opened in front of a phrase', () => {
    expect(carriedText('', '<think>a</think> b <think>c')).toBe('<think>a</think> b <think>c\n</think>\n\n');
    expect(carriedText("<think>\nLet's see", 'so')).toBe('so\n</think>\n\n');
  });
});

function examples(keys: readonly string[], trace: RulesExample['trace'] = null): RulesExample[] {
  const pairs = new Map(sharedPairs('train.json').map((pair) => [pair.id, pair]));
  return keys.map((key, at) => {
    const [, id, type] = key.split(':') as [string, string, ThreadType];
    return { key, score: 1 - at / 10, pair: pairs.get(id)!, type, trace };
  });
}

/** What only the text about this thread has. */
function mark(pair: RulesPair, type: ThreadType): string {
  return pair.threads[type].comments.at(-1)!.body!.slice(0, 60);
}

describe.skipIf(VECTORS === null)('examples', () => {
  it('stand where the original has them, with its letters', () => {
    const { few_shot: cases } = vector<Vectors>('prompts.json');
    const targets = new Map(sharedPairs('dataset.json').map((pair) => [pair.id, pair]));
    expect(cases.map(({ inline }) => inline)).toEqual([false, true, false, true]);
    for (const { pair: id, thread, context, inline, examples: keys, messages } of cases) {
      const pair = targets.get(id)!;
      const own = examples(keys);
      const flags = parseContext(context, tables.contexts);
      const { turns } = conversationOf(
        { pair, type: thread, flags, phrase: '' },
        { examples: own, style: 'template', inline },
        tables.template,
      );
      expect(turns.map(({ role }) => role)).toEqual(messages.map(({ role }) => role));
      for (const [at, { holds, ends_with_letter: letter }] of messages.entries()) {
        const { content } = turns[at]!;
        let from = 0;
        for (const key of holds) {
          const example = own.find((one) => one.key === key);
          const found = content.indexOf(
            example ? mark(example.pair, example.type) : mark(pair, thread),
            from,
          );
          // The target of one is empty.
          expect([key, found >= from && found !== -1]).toEqual([key, true]);
          from = found;
        }
        if (letter) expect(content.endsWith(`Final Choice: ${letter}`)).toBe(true);
      }
      if (inline) expect(turns[0]!.content.split('\n\n-------\n\n').length).toBe(keys.length + 1);
    }
  });

  it('are answered in the style that is asked for', () => {
    const {
      few_shot: [first],
    } = vector<Vectors>('prompts.json');
    const [example] = examples(first!.examples, { rationale: 'It sells.', response: 'So (b).' });
    const answers = (['response-only', 'rationale-think', 'rationale-plain', 'template'] as const).map(
      (style) => exampleAnswer(example!, style, tables.template),
    );
    expect(answers.slice(0, 3)).toEqual([
      'So (b).',
      '<think>\nIt sells.\n</think>\n\nSo (b).',
      'It sells.\n\nSo (b).',
    ]);
    expect(answers[3]).toMatch(/^What is true of it: .+\.\n\nFinal Choice: \(b\)$/);
    const untold = exampleAnswer({ ...example!, trace: null }, 'rationale-think', tables.template);
    expect(untold).toBe(answers[3]);
  });
});
