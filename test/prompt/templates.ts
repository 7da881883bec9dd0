/** Chat templates in the manner of the families that are in use, written for these tests. */

/** Turns between <|im_start|> and <|im_end|>; a system message of its own where none is given. */
export const CHATML = `{%- if messages[0].role != 'system' -%}
    {{ '<|im_start|>system\\nYou answer briefly.<|im_end|>\\n' }}
{%- endif -%}
{%- for message in messages -%}
    {{ '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>' + '\\n' }}
{%- endfor -%}
{%- if add_generation_prompt -%}
    {{ '<|im_start|>assistant\\n' }}
{%- endif -%}`;

/** BOS written by the template, headers in tokens, trimmed content, a date with a default. */
export const HEADERS = `{{- bos_token }}
{%- if strftime_now is defined %}
    {%- set today = strftime_now("%d %b %Y") %}
{%- else %}
    {%- set today = "01 Feb 2003" %}
{%- endif %}
{%- if messages[0]['role'] == 'system' %}
    {%- set briefing = messages[0]['content'] | trim %}
    {%- set messages = messages[1:] %}
{%- else %}
    {%- set briefing = '' %}
{%- endif %}
{{- '<|start_header_id|>system<|end_header_id|>\\n\\nDate: ' ~ today ~ '\\n' ~ briefing ~ '<|eot_id|>' }}
{%- for message in messages %}
    {{- '<|start_header_id|>' + message['role'] + '<|end_header_id|>\\n\\n' + message['content'] | trim + '<|eot_id|>' }}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|start_header_id|>assistant<|end_header_id|>\\n\\n' }}
{%- endif %}`;

/** No system role, roles that take turns, the assistant called model. */
export const TURNS = `{{ bos_token }}{% if messages[0]['role'] == 'system' %}
{{ raise_exception('This model takes no system message') }}
{% endif %}
{% for message in messages %}
{% if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}
{{ raise_exception('After ' ~ messages[loop.index0 - 1]['role'] ~ ' the other speaks') }}
{% endif %}
{% set speaker = 'model' if message['role'] == 'assistant' else message['role'] %}
{{ '<start_of_turn>' + speaker + '\\n' + message['content'] | trim + '<end_of_turn>\\n' }}
{%- endfor %}
{% if add_generation_prompt %}
{{ '<start_of_turn>model\\n' }}
{%- endif %}`;

/** Instructions in brackets, answers ended by EOS, no start of the answer. */
export const BRACKETS = `{{ bos_token }}{% for message in messages %}{% if message['role'] == 'user' %}{{ '[INST] ' + message['content'] + ' [/INST]' }}{% elif message['role'] == 'assistant' %}{{ ' ' + message['content'] + eos_token }}{% else %}{{ raise_exception('Only user and assistant speak here') }}{% endif %}{% endfor %}`;

/** Opens a think block in front of every answer, and leaves thoughts out of answers that were given. */
export const THINKING = `{%- for message in messages -%}
{%- if message.role == 'assistant' -%}
{{ '<|assistant|>' + message.content.split('</think>')[-1] | trim + '<|end|>\\n' }}
{%- else -%}
{{ '<|' + message.role + '|>' + message.content + '<|end|>\\n' }}
{%- endif -%}
{%- endfor -%}
{%- if add_generation_prompt -%}
{{ '<|assistant|><think>\\n' }}
{%- endif -%}`;

/** Thinks unless told not to; answers that were given carry a closed block. */
export const SWITCHED = `{%- for message in messages -%}
{{ '<|im_start|>' + message.role + '\\n' }}
{%- if message.role == 'assistant' -%}
{{ '<think>\\n' + (message.reasoning_content or '') + '\\n</think>\\n\\n' }}
{%- endif -%}
{{ message.content + '<|im_end|>\\n' }}
{%- endfor -%}
{%- if add_generation_prompt -%}
{{ '<|im_start|>assistant\\n' }}
{%- if enable_thinking is defined and enable_thinking is false -%}
{{ '<think>\\n\\n</think>\\n\\n' }}
{%- endif -%}
{%- endif -%}`;

/** Tools listed in front, calls and results in tags. */
export const TOOLS = `{%- if tools %}
{{- '<|im_start|>system\\nTools:\\n' }}
{%- for tool in tools %}
{{- tool | tojson + '\\n' }}
{%- endfor %}
{{- '<|im_end|>\\n' }}
{%- endif %}
{%- for message in messages %}
{%- if message.role == 'tool' %}
{{- '<|im_start|>user\\n<result>' + message.content + '</result><|im_end|>\\n' }}
{%- elif message.tool_calls %}
{{- '<|im_start|>assistant\\n' }}
{%- for call in message.tool_calls %}
{{- '<call>' + call.function.name + ' ' + (call.function.arguments | tojson) + '</call>' }}
{%- endfor %}
{{- '<|im_end|>\\n' }}
{%- else %}
{{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}
{%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
{{- '<|im_start|>assistant\\n' }}
{%- endif %}`;
