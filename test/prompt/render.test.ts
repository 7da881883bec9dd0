/** Chats as text, to the character, in the manner of several families of templates. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderChat } from '../../src/prompt/chat.ts';
import type { ChatMessage } from '../../src/prompt/index.ts';
import { ChatTemplate } from '../../src/prompt/template.ts';
import { fault } from '../fault.ts';
import { BRACKETS, CHATML, HEADERS, SWITCHED, TOOLS, TURNS } from './templates.ts';

const ask: ChatMessage[] = [{ role: 'user', content: 'Who is it?' }];
const talk: ChatMessage[] = [
  { role: 'system', content: 'Be kind.' },
  { role: 'user', content: 'Who is it?' },
  { role: 'assistant', content: 'The nurse.' },
  { role: 'user', content: 'And who else?' },
];

describe('a chat', () => {
  it('in ChatML, with the template’s own system message or the one given', () => {
    expect(renderChat(CHATML, ask)).toEqual({
      text: '<|im_start|>system\nYou answer briefly.<|im_end|>\n<|im_start|>user\nWho is it?<|im_end|>\n<|im_start|>assistant\n',
      templateSha256: createHash('sha256').update(CHATML).digest('hex'),
      startsWithBos: false,
      thinks: false,
      thinkOpen: false,
      thinkClosed: false,
      prefill: null,
      date: null,
    });
    expect(renderChat(CHATML, talk, { addGenerationPrompt: false }).text).toBe(
      '<|im_start|>system\nBe kind.<|im_end|>\n<|im_start|>user\nWho is it?<|im_end|>\n' +
        '<|im_start|>assistant\nThe nurse.<|im_end|>\n<|im_start|>user\nAnd who else?<|im_end|>\n',
    );
  });

  it('with headers, BOS and a date that is given or the template’s own', () => {
    const bosToken = '<|begin_of_text|>';
    const rest =
      '\nBe kind.<|eot_id|><|start_header_id|>user<|end_header_id|>\n\nWho is it?<|eot_id|>' +
      '<|start_header_id|>assistant<|end_header_id|>\n\n';
    const chat = talk.slice(0, 2);
    const plain = renderChat(HEADERS, chat, { bosToken });
    expect(plain.text).toBe(
      `${bosToken}<|start_header_id|>system<|end_header_id|>\n\nDate: 01 Feb 2003${rest}`,
    );
    expect(plain).toMatchObject({ startsWithBos: true, date: null });
    const dated = renderChat(HEADERS, chat, { bosToken, now: new Date('2026-03-09T23:59:00Z') });
    expect(dated.text).toContain(`Date: 09 Mar 2026${rest}`);
    expect(dated.date).toBe('2026-03-09T23:59:00.000Z');
  });

  it('with what the assistant has said behind it, as it is', () => {
    const { text } = renderChat(CHATML, ask);
    const said = ' <think>so\n</think>\n\nFinal: ';
    expect(renderChat(CHATML, ask, { append: said }).text).toBe(text + said);
    const both = fault(() => renderChat(CHATML, ask, { append: said, assistantPrefill: 'x' }));
    expect(both.message).toContain('append stands behind the start of a turn');
    const controlTokens = ['<|im_end|>'];
    const ended = fault(() => renderChat(CHATML, ask, { append: 'x<|im_end|>', controlTokens }));
    expect(ended.message).toContain('append holds "<|im_end|>"');
  });

  it('in turns, with the assistant under another name', () => {
    const { text, startsWithBos } = renderChat(TURNS, talk.slice(1), { bosToken: '<bos>' });
    expect(text).toBe(
      '<bos><start_of_turn>user\nWho is it?<end_of_turn>\n<start_of_turn>model\nThe nurse.<end_of_turn>\n' +
        '<start_of_turn>user\nAnd who else?<end_of_turn>\n<start_of_turn>model\n',
    );
    expect(startsWithBos).toBe(true);
  });

  it('in brackets, with EOS after answers', () => {
    const tokens = { bosToken: '<s>', eosToken: '</s>' };
    expect(renderChat(BRACKETS, talk.slice(1), tokens).text).toBe(
      '<s>[INST] Who is it? [/INST] The nurse.</s>[INST] And who else? [/INST]',
    );
  });

  it('with tools, a call and its result', () => {
    const chat: ChatMessage[] = [
      ...ask,
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ type: 'function', function: { name: 'look', arguments: { at: 'door' } } }],
      },
      { role: 'tool', name: 'look', content: 'a nurse' },
    ];
    expect(renderChat(TOOLS, chat, { tools: [{ name: 'look' }] }).text).toBe(
      '<|im_start|>system\nTools:\n{"name": "look"}\n<|im_end|>\n<|im_start|>user\nWho is it?<|im_end|>\n' +
        '<|im_start|>assistant\n<call>look {"at": "door"}</call><|im_end|>\n' +
        '<|im_start|>user\n<result>a nurse</result><|im_end|>\n<|im_start|>assistant\n',
    );
  });

  it('with content in parts of text, and variables of the template’s own', () => {
    const parts: ChatMessage[] = [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Who' },
          { type: 'text', text: 'is it?' },
        ],
      },
    ];
    const { text } = renderChat(SWITCHED, parts, { extra: { enable_thinking: false } });
    expect(text).toBe(
      '<|im_start|>user\nWho\nis it?<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\n',
    );
  });

  it('with a template that was parsed before', () => {
    const template = new ChatTemplate(CHATML);
    expect(renderChat(template, ask)).toEqual(renderChat(CHATML, ask));
  });
});

describe('a prefill', () => {
  const tokens = { bosToken: '<s>', eosToken: '</s>' };
  const cases: [string, string, string][] = [
    ['ChatML', CHATML, '<|im_start|>assistant\nThe answer is '],
    ['headers, which trim', HEADERS, '<|start_header_id|>assistant<|end_header_id|>\n\nThe answer is '],
    ['turns, which trim', TURNS, '<start_of_turn>model\nThe answer is '],
    ['brackets, which end with EOS', BRACKETS, '<s>[INST] Who is it? [/INST] The answer is '],
  ];
  for (const [name, template, end] of cases) {
    it(`ends the prompt inside the assistant's turn: ${name}`, () => {
      const rendered = renderChat(template, ask, { ...tokens, assistantPrefill: 'The answer is ' });
      expect(rendered.text.endsWith(end)).toBe(true);
      expect(rendered.prefill).toBe('The answer is ');
      const without = renderChat(template, ask, { ...tokens, addGenerationPrompt: false }).text;
      expect(rendered.text.startsWith(without)).toBe(true);
    });
  }

  it('may be empty, and may look like the marker behind it', () => {
    expect(renderChat(CHATML, ask, { assistantPrefill: '' }).text).toBe(renderChat(CHATML, ask).text);
    expect(renderChat(CHATML, ask, { assistantPrefill: 'EndOfPrefill0x' }).text).toMatch(
      /assistant\nEndOfPrefill0x$/,
    );
  });

  it('stands at the end of the prompt as it was given, whatever it is', () => {
    const given = fc.string({ unit: 'grapheme' }).filter((text) => text === text.trimStart());
    fc.assert(
      fc.property(fc.constantFrom(CHATML, HEADERS, TURNS, BRACKETS), given, (template, assistantPrefill) => {
        const { text } = renderChat(template, ask, { ...tokens, assistantPrefill });
        const open = renderChat(template, ask, { ...tokens, assistantPrefill: '' }).text;
        expect(text).toBe(open + assistantPrefill);
      }),
      { numRuns: 200 },
    );
  });

  it('that the template would change or repeat is refused', () => {
    const trimmed = fault(() => renderChat(TURNS, ask, { assistantPrefill: ' The' }));
    expect(trimmed.code).toBe('template_failed');
    expect(trimmed.message).toContain('white space in front');
    const twice = '{% for m in messages %}{{ m.content ~ m.content }}{% endfor %}';
    expect(fault(() => renderChat(twice, ask, { assistantPrefill: 'The' })).message).toContain('2 times');
    const none = '{% for m in messages if m.role == "user" %}{{ m.content }}{% endfor %}';
    expect(fault(() => renderChat(none, ask, { assistantPrefill: 'The' })).message).toContain('0 times');
  });
});
