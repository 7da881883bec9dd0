/** Questions against the outlines of the original: blocks, order, gaps, fields and their values, with a wording of our own. */
import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  askQuestion,
  choosePhrase,
  type FilledBlock,
  loadRulesTables,
  parseContext,
  phraseFolder,
  type RulesTables,
  type ThreadType,
} from '../../../src/suites/rules/index.ts';
import { sharedPairs } from './data.ts';
import { VECTORS, vector } from './vectors.ts';

type VectorPart = { w: string; n?: number } | { f: string; v: string | number };
interface Outline {
  blocks: { block: string; gap: number; lines: VectorPart[][] }[];
}
interface PromptVectors {
  wording: Record<string, { sha256: string; chars: number }>;
  phrases: Record<string, Partial<Record<'prefill' | 'prompt', { sha256: string; chars: number } | null>>>;
  contexts: { context: string; flags: Record<string, boolean> | null; error: string | null }[];
  outlines: Record<string, Outline>;
  prompts: {
    pair: string;
    thread: ThreadType;
    context: string;
    phrase: string;
    mode: 'prefill' | 'prompt';
    outline: string;
    messages: { content: ({ type: 'text' } | { type: 'image'; image: string })[] }[];
    phrase_placed: { where: string; sha256: string } | null;
    cut: { at: number; as_meant: boolean } | null;
  }[];
  answer_phrase: { sha256: string };
}

let tables: RulesTables;
beforeAll(async () => {
  tables = await loadRulesTables('/no/such/folder');
});

/** A line as [fixed, value, fixed...]: fixed pieces next to each other are one, numbers and author labels are fixed. */
type Plain = ({ fixed: string } | { value: string })[];

function joined(parts: Plain): Plain {
  const whole: Plain = [];
  for (const part of parts) {
    const last = whole.at(-1);
    if ('fixed' in part && last && 'fixed' in last) last.fixed += part.fixed;
    else if ('fixed' in part || part.value !== '') whole.push({ ...part });
  }
  return whole.filter((part) => !('fixed' in part) || part.fixed.trim() !== '');
}

function ours(blocks: readonly FilledBlock[]) {
  return blocks.map(({ block, gap, lines }) => ({
    block,
    gap,
    lines: lines.map((line) =>
      joined(
        line.map((part) => {
          if ('fixed' in part) return { fixed: part.fixed };
          return /number$/.test(part.field) ? { fixed: part.value } : { value: part.value };
        }),
      ),
    ),
  }));
}

describe.skipIf(VECTORS === null)('questions', () => {
  it('have the blocks, lines and values of the original, and one wording of ours for each of its', () => {
    const { outlines } = vector<PromptVectors>('prompts.json');
    const pairs = new Map(sharedPairs('dataset.json').map((pair) => [pair.id, pair]));
    const wording = new Map<string, string>();
    expect(Object.keys(outlines).length).toBe(60);
    for (const [key, outline] of Object.entries(outlines)) {
      const [id, type, context] = key.split('|') as [string, ThreadType, string];
      const question = {
        pair: pairs.get(id)!,
        type,
        flags: parseContext(context, tables.contexts),
        phrase: '',
      };
      const filled = ours(askQuestion(question, tables.template).blocks);
      // Each wording of the original stands for one of ours: the vectors have its name, we have its text.
      const expected = outline.blocks.map(({ block, gap, lines }, b) => ({
        block,
        gap,
        lines: lines.map((line, l) =>
          line.flatMap((part, p): Plain => {
            if (!('w' in part)) {
              return part.v === '' ? [] : [{ value: part.f === 'author' ? `USER${part.v}` : String(part.v) }];
            }
            const own = filled[b]?.lines[l]?.[p];
            const text = own && 'fixed' in own ? own.fixed : 'MISSING';
            const name = block === 'submission' || block === 'comment' ? part.w : `${block}:${part.w}`;
            const plain = part.n === undefined ? text : text.replace(String(part.n), '#');
            if (!wording.has(name)) wording.set(name, plain);
            expect([key, part.w, wording.get(name)]).toEqual([key, part.w, plain]);
            return [{ fixed: text }];
          }),
        ),
      }));
      expect({ key, blocks: filled }).toEqual({ key, blocks: expected });
    }
    expect(wording.size).toBeGreaterThan(18);
    const texts = [...wording].filter(([name]) => !name.startsWith('rule:label')).map(([, text]) => text);
    // "Description: " is one label of theirs and of ours, of rules and of communities.
    expect(new Set(texts).size).toBe(texts.length);
  });

  it('show images where the original means to', () => {
    const { prompts, outlines, wording } = vector<PromptVectors>('prompts.json');
    const pairs = new Map(sharedPairs('dataset.json').map((pair) => [pair.id, pair]));
    const withImages = prompts.filter(({ cut }) => cut !== null);
    expect(withImages.filter(({ cut }) => !cut!.as_meant).length).toBeGreaterThan(0);
    let meant = 0;
    for (const { pair: id, thread, context, outline, cut, messages } of withImages) {
      const pair = pairs.get(id)!;
      const flags = parseContext(context, tables.contexts);
      const { text, imagesAt } = askQuestion({ pair, type: thread, flags, phrase: '' }, tables.template);
      const paths = messages[0]!.content.flatMap((part) => (part.type === 'image' ? [part.image] : []));
      expect(pair.submission.images.map((file) => `media/${file}`)).toEqual(paths);
      // Behind the label of the submission's body, in front of what it holds.
      expect(text.slice(0, imagesAt!).endsWith('\nBody: ')).toBe(true);
      if (!cut!.as_meant) continue;
      meant += 1;
      // The same place in the original, by the lengths of its pieces.
      let length = 0;
      let place: number | null = null;
      for (const [at, block] of outlines[outline]!.blocks.entries()) {
        if (at > 0) length += block.gap + 1;
        for (const [number, line] of block.lines.entries()) {
          if (number > 0) length += 1;
          for (const part of line) {
            if ('w' in part) length += wording[part.w]!.chars;
            else length += part.f === 'author' ? `USER${part.v}`.length : [...String(part.v)].length;
            if (block.block === 'submission' && 'w' in part && part.w === 'label/body') place ??= length;
          }
        }
      }
      expect(place).toBe(cut!.at);
    }
    expect(meant).toBeGreaterThan(10);
  });

  it('have the phrase behind the question in mode prompt, and in front of the answer in mode prefill', () => {
    const { prompts } = vector<PromptVectors>('prompts.json');
    const pairs = new Map(sharedPairs('dataset.json').map((pair) => [pair.id, pair]));
    for (const { pair: id, thread, context, phrase, mode, phrase_placed: placed } of prompts) {
      const chosen = choosePhrase(phrase, mode, tables.phrases);
      const flags = parseContext(context, tables.contexts);
      const said = chosen.mode === 'prompt' ? chosen.text : '';
      const { blocks } = askQuestion(
        { pair: pairs.get(id)!, type: thread, flags, phrase: said },
        tables.template,
      );
      const question = blocks.find(({ block }) => block === 'question')!;
      const behind = question.lines[0]!.at(-1)!;
      if (placed === null) expect(chosen).toEqual({ name: phrase, mode: 'prefill', text: '' });
      else if (mode === 'prefill') expect(placed.where).toBe('after the generation prompt');
      else {
        expect(placed.where).toBe('end of line question/ask');
        expect(behind).toEqual({ field: 'phrase', value: chosen.text });
      }
      if (mode === 'prefill' || placed === null) expect('fixed' in behind).toBe(true);
      if (placed) expect(sha256(chosen.text)).toBe(placed.sha256);
    }
  });

  it('speak with the words of the document where it gives them', () => {
    const { phrases, answer_phrase: answer } = vector<PromptVectors>('prompts.json');
    expect(tables.phrases.size).toBe(8);
    for (const [name, { prefill, prompt }] of Object.entries(phrases)) {
      const own = tables.phrases.get(name)!;
      expect([name, prefill ? sha256(own.prefill) : own.prefill]).toEqual([name, prefill?.sha256 ?? '']);
      if (prompt) expect([name, sha256(own.prompt)]).toEqual([name, prompt.sha256]);
    }
    expect(sha256(tables.template.final)).toBe(answer.sha256);
  });
});

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

describe.skipIf(VECTORS === null)('contexts', () => {
  it('are read and refused as by the original', () => {
    const { contexts } = vector<PromptVectors>('prompts.json');
    expect(contexts.length).toBe(12);
    for (const { context, flags, error } of contexts) {
      if (error === null) expect([context, parseContext(context, tables.contexts)]).toEqual([context, flags]);
      else expect(() => parseContext(context, tables.contexts), context).toThrow(/context/);
    }
  });
});

describe('tables', () => {
  it('name the flags there are', () => {
    expect(() => parseContext('submission-subreddit', tables.contexts)).toThrow(
      'the context "submission-subreddit" has the flag "subreddit", which there is not; join flags of none, submission, media, discussion, user by dashes',
    );
    expect(() => parseContext('media', tables.contexts)).toThrow(
      'the context "media" has media without submission; give submission-media',
    );
    expect(() => parseContext('submission-', tables.contexts)).toThrow('an empty flag');
  });

  it('fold a phrase that says nothing, and name the phrases there are', () => {
    const baseline = choosePhrase('baseline', 'prompt', tables.phrases);
    expect([baseline.mode, phraseFolder(baseline)]).toEqual(['prefill', 'baseline']);
    expect(phraseFolder(choosePhrase('cot', 'prompt', tables.phrases))).toBe('cot_prompt');
    expect(() => choosePhrase('sot', 'prompt', tables.phrases)).toThrow(
      'there is no phrase "sot"; give one of: baseline, cot, analyze, artifacts, rules, grounded_choice, grounded_target, grounded_context',
    );
  });
});
