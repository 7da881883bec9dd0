/** Think blocks: seen where they are open, closed on request, never scored in. */
import { describe, expect, it } from 'vitest';
import { renderChat } from '../../src/prompt/chat.ts';
import { assertNotThinking, type ChatMessage } from '../../src/prompt/index.ts';
import { fault } from '../fault.ts';
import { CHATML, SWITCHED, THINKING } from './templates.ts';

const ask: ChatMessage[] = [{ role: 'user', content: 'Who?' }];
const EMPTY_BLOCK = '<think>\n\n</think>\n\n';

describe('an open think block', () => {
  it('is seen at the end of the prompt, and refused for scoring', () => {
    const rendered = renderChat(THINKING, ask);
    expect(rendered).toMatchObject({ text: '<|user|>Who?<|end|>\n<|assistant|><think>\n', thinkOpen: true });
    const error = fault(() => assertNotThinking(rendered));
    expect(error.code).toBe('think_open');
    expect(error.kind).toBe('input');
    expect(error.message).toContain('closeThink');
  });

  it('is closed on request, with and without a prefill', () => {
    const closed = renderChat(THINKING, ask, { closeThink: true });
    expect(closed.text).toBe(`<|user|>Who?<|end|>\n<|assistant|>${EMPTY_BLOCK}`);
    expect(closed).toMatchObject({ thinkOpen: false, thinkClosed: true });
    assertNotThinking(closed);
    const filled = renderChat(THINKING, ask, { closeThink: true, assistantPrefill: 'The nurse' });
    expect(filled.text).toBe(`<|user|>Who?<|end|>\n<|assistant|>${EMPTY_BLOCK}The nurse`);
  });

  it('may come from a prefill', () => {
    const rendered = renderChat(CHATML.replace('briefly', 'briefly, no <think>'), ask, {
      assistantPrefill: '<think>\nIt is',
    });
    expect(rendered.thinkOpen).toBe(true);
  });

  it('is not one that a user writes, or a system message', () => {
    const chat: ChatMessage[] = [
      { role: 'system', content: 'Never write <think>.' },
      { role: 'user', content: 'What does <think> mean?' },
    ];
    expect(renderChat(SWITCHED, chat)).toMatchObject({ thinks: true, thinkOpen: false });
    expect(renderChat(SWITCHED, chat, { assistantPrefill: 'It' }).thinkOpen).toBe(false);
    expect(renderChat(SWITCHED, chat, { addGenerationPrompt: false }).thinkOpen).toBe(false);
  });
});

describe('a template of another habit', () => {
  it('opens the block whether or not it is asked for an answer', () => {
    const always = THINKING.replace('{%- if add_generation_prompt -%}', '').replace(/\{%- endif -%\}$/, '');
    const rendered = renderChat(always, ask);
    expect(rendered).toMatchObject({ text: '<|user|>Who?<|end|>\n<|assistant|><think>\n', thinkOpen: true });
    expect(renderChat(always, ask, { closeThink: true })).toMatchObject({
      text: `<|user|>Who?<|end|>\n<|assistant|>${EMPTY_BLOCK}`,
      thinkOpen: false,
    });
  });

  it('refuses a chat that waits for no answer', () => {
    const demanding = `{%- if not add_generation_prompt -%}{{ raise_exception('ask!') }}{%- endif -%}${THINKING}`;
    expect(renderChat(demanding, ask).thinkOpen).toBe(true);
  });
});

describe('closing the block', () => {
  it('adds an empty one where the model would open it itself', () => {
    const { text, thinkClosed } = renderChat(SWITCHED, ask, { closeThink: true });
    expect(text).toBe(`<|im_start|>user\nWho?<|im_end|>\n<|im_start|>assistant\n${EMPTY_BLOCK}`);
    expect(thinkClosed).toBe(true);
  });

  it('leaves a prompt alone that has a closed one, and a model that has none', () => {
    const told = renderChat(SWITCHED, ask, { closeThink: true, extra: { enable_thinking: false } });
    expect(told.thinkClosed).toBe(false);
    expect(told.text.endsWith(`assistant\n${EMPTY_BLOCK}`)).toBe(true);
    const filled = renderChat(SWITCHED, ask, { closeThink: true, assistantPrefill: 'The' });
    expect(filled.text.match(/<think>/g)).toHaveLength(1);
    expect(renderChat(CHATML, ask, { closeThink: true })).toEqual(renderChat(CHATML, ask));
  });

  it('leaves a prefill alone that holds a thought of its own', () => {
    const assistantPrefill = '<think>Short.</think>The';
    const { text, thinkClosed, thinkOpen } = renderChat(CHATML.replace('briefly', 'after <think>'), ask, {
      closeThink: true,
      assistantPrefill,
    });
    expect(text.endsWith(`assistant\n${assistantPrefill}`)).toBe(true);
    expect([thinkClosed, thinkOpen]).toEqual([false, false]);
  });

  it('refuses a prefill whose thought the template would drop', () => {
    const options = { assistantPrefill: '<think>Short.</think>The' };
    expect(fault(() => renderChat(THINKING, ask, options)).code).toBe('template_failed');
  });
});
