/**
 * Templates in the manner of published models, each reduced to what sets it apart and written in our own words: what a
 * family does with system messages, dates, parts of content, thoughts, tools and tokens.
 */

const lines = (...all: readonly string[]) => all.join('\n');
const oneLine = (...all: readonly string[]) => all.join('');

/** Llama 3.1: the day by a variable with a default, the system message in a header of its own. */
const LLAMA = lines(
  '{{- bos_token }}',
  '{%- if not date_string is defined %}{%- set date_string = "26 Jul 2024" %}{%- endif %}',
  "{%- if messages[0]['role'] == 'system' %}",
  "    {%- set system = messages[0]['content'] | trim %}{%- set messages = messages[1:] %}",
  '{%- else %}{%- set system = "" %}{%- endif %}',
  '{{- "<|start_header_id|>system<|end_header_id|>\\n\\nToday Date: " + date_string + "\\n\\n" + system + "<|eot_id|>" }}',
  '{%- for message in messages %}',
  "    {{- '<|start_header_id|>' + message['role'] + '<|end_header_id|>\\n\\n' + message['content'] | trim + '<|eot_id|>' }}",
  '{%- endfor %}',
  "{%- if add_generation_prompt %}{{- '<|start_header_id|>assistant<|end_header_id|>\\n\\n' }}{%- endif %}",
);

/** Mistral's first: turns in brackets, no system role, roles that take turns. */
const MISTRAL = oneLine(
  '{{ bos_token }}{% for message in messages %}',
  "{% if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}",
  "{{ raise_exception('Conversation roles must alternate user/assistant/user/assistant/...') }}{% endif %}",
  "{% if message['role'] == 'user' %}{{ '[INST] ' + message['content'] + ' [/INST]' }}",
  "{% elif message['role'] == 'assistant' %}{{ ' ' + message['content'] + eos_token }}",
  "{% else %}{{ raise_exception('Only user and assistant roles are supported!') }}{% endif %}{% endfor %}",
);

/** Mistral's later: the day by strftime_now without asking, tools that may be none. */
const DATED = lines(
  '{%- set today = strftime_now("%Y-%m-%d") %}{{- bos_token }}',
  "{%- if messages[0]['role'] == 'system' %}{%- set system = messages[0]['content'] %}{%- set rest = messages[1:] %}",
  '{%- else %}{%- set system = "The current date is " + today %}{%- set rest = messages %}{%- endif %}',
  "{{- '[SYSTEM_PROMPT]' + system + '[/SYSTEM_PROMPT]' }}",
  "{%- if tools is not none %}{{- '[AVAILABLE_TOOLS]' + (tools | tojson) + '[/AVAILABLE_TOOLS]' }}{%- endif %}",
  "{%- for message in rest %}{%- if message['role'] == 'user' %}{{- '[INST]' + message['content'] + '[/INST]' }}",
  "{%- else %}{{- message['content'] + eos_token }}{%- endif %}{%- endfor %}",
);

/** Gemma: the system role refused, the assistant called model, turns checked. */
const GEMMA = lines(
  "{{ bos_token }}{% if messages[0]['role'] == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}",
  '{% for message in messages %}',
  "{% if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}",
  "{{ raise_exception('Conversation roles must alternate user/assistant/user/assistant/...') }}{% endif %}",
  "{% if (message['role'] == 'assistant') %}{% set role = 'model' %}{% else %}{% set role = message['role'] %}{% endif %}",
  "{{ '<start_of_turn>' + role + '\\n' + message['content'] | trim + '<end_of_turn>\\n' }}{% endfor %}",
  "{% if add_generation_prompt %}{{'<start_of_turn>model\\n'}}{% endif %}",
);

/** Phi's first: other roles than user and assistant left out without a word. */
const DROPS = oneLine(
  '{{ bos_token }}{% for message in messages %}',
  "{% if (message['role'] == 'user') %}{{ '<|user|>\\n' + message['content'] + '<|end|>\\n<|assistant|>\\n' }}",
  "{% elif (message['role'] == 'assistant') %}{{ message['content'] + '<|end|>\\n' }}{% endif %}{% endfor %}",
);

/** One that writes the system message at the start alone, and forgets it once there was an answer. */
const FORGETS = lines(
  "{%- if messages | length == 2 and messages[0].role == 'system' %}{{ '<<' + messages[0].content + '>>' }}{% endif -%}",
  "{%- for m in messages if m.role != 'system' %}{{ '[' + m.role + ']' + m.content }}{% endfor -%}",
);

/** Qwen3: thoughts, a switch for them, a namespace that looks for the last question. */
const QWEN = lines(
  "{%- if messages[0].role == 'system' %}{{- '<|im_start|>system\\n' + messages[0].content + '<|im_end|>\\n' }}{%- endif %}",
  '{%- set ns = namespace(last=messages|length - 1, searching=true) %}',
  '{%- for message in messages[::-1] %}{%- set index = (messages|length - 1) - loop.index0 %}',
  '{%- if ns.searching and message.role == "user" %}{%- set ns.searching = false %}{%- set ns.last = index %}{%- endif %}{%- endfor %}',
  "{%- for message in messages %}{%- if message.role == 'user' or (message.role == 'system' and not loop.first) %}",
  "{{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}",
  "{%- elif message.role == 'assistant' %}{%- set content = message.content.split('</think>')[-1].lstrip('\\n') %}",
  "{%- set thought = message.reasoning_content if message.reasoning_content is string else '' %}",
  "{{- '<|im_start|>assistant\\n' }}{%- if loop.index0 > ns.last and (loop.last or thought) %}",
  "{{- '<think>\\n' + thought.strip('\\n') + '\\n</think>\\n\\n' }}{%- endif %}{{- content + '<|im_end|>\\n' }}{%- endif %}{%- endfor %}",
  "{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}",
  "{%- if enable_thinking is defined and enable_thinking is false %}{{- '<think>\\n\\n</think>\\n\\n' }}{%- endif %}{%- endif %}",
);

/** DeepSeek: system messages gathered in front, a thought opened in front of each answer. */
const DEEPSEEK = lines(
  '{% if not add_generation_prompt is defined %}{% set add_generation_prompt = false %}{% endif %}',
  "{% set ns = namespace(system='') %}{%- for message in messages %}{%- if message['role'] == 'system' %}",
  "{% set ns.system = ns.system + message['content'] %}{%- endif %}{%- endfor %}{{ bos_token }}{{ ns.system }}",
  "{%- for message in messages %}{%- if message['role'] == 'user' %}{{ '<User>' + message['content'] }}{%- endif %}",
  "{%- if message['role'] == 'assistant' and message['content'] is not none %}{% set content = message['content'] %}",
  "{% if '</think>' in content %}{% set content = content.split('</think>')[-1] %}{% endif %}",
  "{{ '<Assistant>' + content + '<end>' }}{%- endif %}{%- endfor -%}",
  "{% if add_generation_prompt %}{{ '<Assistant><think>\\n' }}{% endif %}",
);

/** Command R: a system text of its own in a macro, roles in tokens. */
const COMMAND = lines(
  "{% macro turn(role, text) %}{{ '<|START|>' + role + '|' + text + '<|END|>' }}{% endmacro %}{{ bos_token }}",
  "{%- if messages[0]['role'] == 'system' %}{%- set rest = messages[1:] %}{%- set system = messages[0]['content'] %}",
  "{%- else %}{%- set rest = messages %}{%- set system = 'You help.' %}{%- endif %}",
  "{{- turn('SYSTEM', system) }}{%- for m in rest %}",
  "{{- turn('USER' if m['role'] == 'user' else 'CHATBOT', m['content'].strip()) }}{%- endfor %}",
  "{%- if add_generation_prompt %}{{ '<|START|>CHATBOT|' }}{%- endif %}",
);

/** Content as a list alone, its parts walked. */
const PARTS = oneLine(
  '{% for message in messages %}{{ message.role | capitalize }}:',
  "{%- for part in message.content %}{% if part.type == 'text' %}{{ ' ' + part.text }}{% endif %}{% endfor %}<end>",
  '{% endfor %}{% if add_generation_prompt %}Assistant:{% endif %}',
);

/** Content as a list alone, its first part taken: a text there would vanish without a word. */
const FIRST_PART = lines(
  '{% for message in messages %}<{{ message.role }}>{{ message.content[0].text }}</>{% endfor %}',
);

/** The system message as a text, what others say as a list. */
const MIXED = oneLine(
  '{% for message in messages %}{% if message.role == "system" %}<s>{{ message.content.strip() }}</s>',
  '{% else %}<{{ message.role }}>{{ message.content[0]["text"] }}</>{% endif %}{% endfor %}',
);

/** Either. */
const BOTH = lines(
  '{% for message in messages %}<{{ message.role }}>{% if message.content is string %}{{ message.content }}{% else %}',
  "{% for part in message.content %}{{ part['text'] }}{% endfor %}{% endif %}</>{% endfor %}",
);

/** The words of training in tags of their own, a block that is called, a loop that is left. */
const BLOCKS = lines(
  "{% macro wrap(name) %}{{ '<' + name + '>' }}{{ caller() }}{{ '</' + name + '>' }}{% endmacro %}",
  '{% for message in messages %}{% if message.role == "tool" %}{% continue %}{% endif %}',
  '{%- call wrap(message.role) %}{% generation %}{{ message.content }}{% endgeneration %}{% endcall %}',
  "{%- if loop.index == 3 %}{{ '!' }}{% break %}{{ 'never' }}{% endif %}{% endfor %}",
);

export const PUBLISHED = {
  LLAMA,
  MISTRAL,
  DATED,
  GEMMA,
  DROPS,
  FORGETS,
  QWEN,
  DEEPSEEK,
  COMMAND,
  PARTS,
  FIRST_PART,
  MIXED,
  BOTH,
  BLOCKS,
};
