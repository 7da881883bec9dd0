/** Templates in the manner of published models: to the character, with and without a system message. */
import { describe, expect, it } from 'vitest';
import { renderChat } from '../../src/prompt/chat.ts';
import type { ChatMessage, ChatOptions } from '../../src/prompt/index.ts';
import { ChatTemplate } from '../../src/prompt/template.ts';
import { chatTraits } from '../../src/prompt/traits.ts';
import { fault } from '../fault.ts';
import { PUBLISHED } from './published.ts';
import { BRACKETS, CHATML, HEADERS, SWITCHED, THINKING, TOOLS, TURNS } from './templates.ts';

/** As an opened model renders. */
const MODEL: ChatOptions = { systemRole: 'auto', date: 'auto', bosToken: '<s>', eosToken: '</s>' };

const ask: ChatMessage[] = [{ role: 'user', content: 'Who is it?' }];
const told: ChatMessage[] = [{ role: 'system', content: 'Be kind.' }, ...ask];
const talk: ChatMessage[] = [
  ...told,
  { role: 'assistant', content: 'The nurse.' },
  { role: 'user', content: 'And who else?' },
];

const header = (role: string, text: string) => `<|start_header_id|>${role}<|end_header_id|>\n\n${text}`;
const im = (role: string, text: string) => `<|im_start|>${role}\n${text}`;

describe('a chat as an opened model renders it', () => {
  it.each<[name: keyof typeof PUBLISHED, told: string, asked: string]>([
    [
      'LLAMA',
      `<s>${header('system', 'Today Date: 26 Jul 2024\n\nBe kind.')}<|eot_id|>${header('user', 'Who is it?')}<|eot_id|>${header('assistant', '')}`,
      `<s>${header('system', 'Today Date: 26 Jul 2024\n\n')}<|eot_id|>${header('user', 'Who is it?')}<|eot_id|>${header('assistant', '')}`,
    ],
    ['MISTRAL', '<s>[INST] Be kind.\n\nWho is it? [/INST]', '<s>[INST] Who is it? [/INST]'],
    [
      'DATED',
      '<s>[SYSTEM_PROMPT]Be kind.[/SYSTEM_PROMPT][INST]Who is it?[/INST]',
      '<s>[SYSTEM_PROMPT]The current date is 2025-01-01[/SYSTEM_PROMPT][INST]Who is it?[/INST]',
    ],
    [
      'GEMMA',
      '<s><start_of_turn>user\nBe kind.\n\nWho is it?<end_of_turn>\n<start_of_turn>model\n',
      '<s><start_of_turn>user\nWho is it?<end_of_turn>\n<start_of_turn>model\n',
    ],
    [
      'DROPS',
      '<s><|user|>\nBe kind.\n\nWho is it?<|end|>\n<|assistant|>\n',
      '<s><|user|>\nWho is it?<|end|>\n<|assistant|>\n',
    ],
    ['FORGETS', '[user]Be kind.\n\nWho is it?', '[user]Who is it?'],
    [
      'QWEN',
      `${im('system', 'Be kind.')}<|im_end|>\n${im('user', 'Who is it?')}<|im_end|>\n${im('assistant', '')}`,
      `${im('user', 'Who is it?')}<|im_end|>\n${im('assistant', '')}`,
    ],
    [
      'DEEPSEEK',
      '<s>Be kind.<User>Who is it?<Assistant><think>\n',
      '<s><User>Who is it?<Assistant><think>\n',
    ],
    [
      'COMMAND',
      '<s><|START|>SYSTEM|Be kind.<|END|><|START|>USER|Who is it?<|END|><|START|>CHATBOT|',
      '<s><|START|>SYSTEM|You help.<|END|><|START|>USER|Who is it?<|END|><|START|>CHATBOT|',
    ],
    ['PARTS', 'System: Be kind.<end>User: Who is it?<end>Assistant:', 'User: Who is it?<end>Assistant:'],
    ['FIRST_PART', '<system>Be kind.</><user>Who is it?</>', '<user>Who is it?</>'],
    ['MIXED', '<s>Be kind.</s><user>Who is it?</>', '<user>Who is it?</>'],
    ['BOTH', '<system>Be kind.</><user>Who is it?</>', '<user>Who is it?</>'],
    ['BLOCKS', '<system>Be kind.</system><user>Who is it?</user>', '<user>Who is it?</user>'],
  ])('%s', (name, withSystem, without) => {
    expect(renderChat(PUBLISHED[name], told, MODEL).text).toBe(withSystem);
    expect(renderChat(PUBLISHED[name], ask, MODEL).text).toBe(without);
  });

  it.each([
    ['{% if tools is not none %}TOOLS{% endif %}'],
    ['{% if tools is defined and tools | length > 0 %}TOOLS{% endif %}'],
    ['{% if tools %}TOOLS{% endif %}{% if documents %}DOCUMENTS{% endif %}'],
    [
      '{% if not tools is defined %}{% set tools = none %}{% endif %}{% if tools is not none %}TOOLS{% endif %}',
    ],
  ])('without tools, however a template asks for them: %s', (test) => {
    const template = `${test}{% for m in messages %}{{ m.content }}{% endfor %}`;
    expect(renderChat(template, ask, MODEL).text).toBe('Who is it?');
    expect(renderChat(template, ask, { ...MODEL, tools: [{ name: 'look' }] }).text).toContain('TOOLS');
  });

  it('with turns that alternate once the system message is folded', () => {
    expect(renderChat(PUBLISHED.GEMMA, talk, MODEL)).toMatchObject({
      text:
        '<s><start_of_turn>user\nBe kind.\n\nWho is it?<end_of_turn>\n<start_of_turn>model\nThe nurse.<end_of_turn>\n' +
        '<start_of_turn>user\nAnd who else?<end_of_turn>\n<start_of_turn>model\n',
      systemFolded: true,
    });
  });

  it('with a loop that is left where the template leaves it, and what it has written', () => {
    const three: ChatMessage[] = [...talk.slice(0, 3), { role: 'tool', content: 'x' }];
    const options = { ...MODEL, addGenerationPrompt: false };
    expect(renderChat(PUBLISHED.BLOCKS, [...three, ...talk.slice(3)], options).text).toBe(
      '<system>Be kind.</system><user>Who is it?</user><assistant>The nurse.</assistant>!',
    );
    const left = (body: string) => renderChat(`{% for m in [1, 2, 3] %}${body}{% endfor %}`, ask).text;
    expect(left('a{% if m == 2 %}b{% break %}{% endif %}c')).toBe('acab');
    expect(left('a{% if m == 2 %}b{% continue %}{% endif %}c')).toBe('acabac');
    expect(left('{% break %}{% else %}none')).toBe('');
    expect(left('{% for k in [1, 2] %}{{ k }}{% break %}{% endfor %}-')).toBe('1-1-1-');
  });

  it('with a prefill and parts of content, as one text', () => {
    const options = { ...MODEL, assistantPrefill: 'The' };
    expect(renderChat(PUBLISHED.PARTS, told, options).text).toBe(
      'System: Be kind.<end>User: Who is it?<end>Assistant: The',
    );
    const parts: ChatMessage[] = [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Who' },
          { type: 'text', text: 'is it?' },
        ],
      },
    ];
    expect(renderChat(PUBLISHED.FIRST_PART, parts, MODEL).text).toBe('<user>Who\nis it?</>');
  });
});

describe('what a template takes is found by rendering', () => {
  it.each<[name: string, template: string, takesSystem: boolean, content: string, wantsDate: boolean]>([
    ['ChatML', CHATML, true, 'text', false],
    ['headers', HEADERS, true, 'text', false],
    ['turns', TURNS, false, 'text', false],
    ['brackets', BRACKETS, false, 'text', false],
    ['thinking', THINKING, true, 'text', false],
    ['switched', SWITCHED, true, 'text', false],
    ['tools', TOOLS, true, 'text', false],
    ['Llama', PUBLISHED.LLAMA, true, 'text', false],
    ['Mistral, dated', PUBLISHED.DATED, true, 'text', true],
    ['drops', PUBLISHED.DROPS, false, 'text', false],
    ['forgets', PUBLISHED.FORGETS, false, 'text', false],
    ['parts', PUBLISHED.PARTS, true, 'parts', false],
    ['first part', PUBLISHED.FIRST_PART, true, 'parts', false],
    ['mixed', PUBLISHED.MIXED, true, 'parts', false],
    ['either', PUBLISHED.BOTH, true, 'text', false],
    [
      'a date that has no default',
      '{{ date_string }}{% for m in messages %}{{ m.content }}{% endfor %}',
      true,
      'text',
      true,
    ],
    [
      'a day of its own',
      "{% set date_string = 'x' %}{% for m in messages %}{{ m.content }}{% endfor %}",
      true,
      'text',
      false,
    ],
    ['nothing that anyone says', 'hello', true, 'text', false],
    ['a fault of its own', '{{ messages | nope }}', true, 'text', false],
    [
      'only chats with a system message',
      "{% if messages[0].role != 'system' %}{{ raise_exception('x') }}{% endif %}{% for m in messages %}{{ m.content }}{% endfor %}",
      true,
      'text',
      false,
    ],
  ])('%s', (_, template, takesSystem, content, wantsDate) => {
    const traits = chatTraits(new ChatTemplate(template));
    expect([traits.takesSystem, traits.content.user, traits.wantsDate]).toEqual([
      takesSystem,
      content,
      wantsDate,
    ]);
  });
});

describe('the user says otherwise', () => {
  it('of system messages: fold always, keep always', () => {
    const folded = renderChat(PUBLISHED.COMMAND, told, { ...MODEL, systemRole: 'fold' });
    expect(folded).toMatchObject({
      text: expect.stringContaining('USER|Be kind.\n\nWho is it?'),
      systemFolded: true,
    });
    const kept = fault(() => renderChat(PUBLISHED.GEMMA, told, { ...MODEL, systemRole: 'keep' }));
    expect(kept.message).toContain('it refuses this chat: System role not supported');
    expect(renderChat(PUBLISHED.DROPS, told, { ...MODEL, systemRole: 'keep' }).text).not.toContain('kind');
    expect(renderChat(PUBLISHED.GEMMA, ask, { ...MODEL, systemRole: 'fold' })).not.toHaveProperty(
      'systemFolded',
    );
  });

  it('of the date: a day is written wherever a template writes one', () => {
    const dated = { ...MODEL, date: '2024-02-29' };
    expect(renderChat(PUBLISHED.LLAMA, ask, dated)).toMatchObject({
      text: expect.stringContaining('Today Date: 29 Feb 2024'),
      date: '2024-02-29T00:00:00.000Z',
    });
    expect(renderChat(PUBLISHED.DATED, ask, dated).text).toContain('date is 2024-02-29');
    expect(renderChat(HEADERS, ask, dated).text).toContain('Date: 29 Feb 2024');
    expect(renderChat(PUBLISHED.LLAMA, ask, MODEL).date).toBeNull();
    expect(renderChat(PUBLISHED.DATED, ask, MODEL).date).toBe('2025-01-01T00:00:00.000Z');
    for (const date of ['2023-02-29', '2024-13-01', '24-01-01', 'today', '2024-01-01T00:00']) {
      expect(fault(() => renderChat(PUBLISHED.LLAMA, ask, { ...MODEL, date })).message).toContain(
        'YYYY-MM-DD',
      );
    }
  });
});

describe('what is not supported is named', () => {
  it.each([
    ['{% do messages %}', 'the statement {% do %} is not supported'],
    ['{% include "x" %}', 'the statement {% include %} is not supported'],
    ['{% with a = 1 %}{{ a }}{% endwith %}', 'the statement {% with %} is not supported'],
    ['{{ messages[0].content | wordwrap }}', 'the filter "wordwrap" is not supported'],
    ['{{ messages | groupby("role") }}', 'the filter "groupby" is not supported'],
    ['{{ 1 | round }}', 'the filter "round" is not supported'],
    ['{% if 4 is divisible %}{% endif %}', 'the test "is divisible" is not supported'],
    ['{% break %}', 'break or continue stands outside of a loop'],
    ['{% for m in messages %}', 'it ends inside a block, a tag or brackets'],
    ['{{ messages[0 }}', 'Unexpected token: CloseExpression'],
    ['{{ messages[0', 'Unexpected end of input'],
  ])('%s', (template, reason) => {
    const error = fault(() => renderChat(template, ask));
    expect([error.code, error.message]).toEqual(['template_failed', expect.stringContaining(reason)]);
  });
});
