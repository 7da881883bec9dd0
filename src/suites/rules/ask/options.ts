/** What a run of the suite is about: which split and context, how the model is led and read. */

import type { OptionTable, OptionValues } from '../../../contract/options.ts';
import { PHRASE_MODES, RULES_PARSERS } from '../index.ts';

export const options = {
  split: { kind: 'text', default: 'test', unit: 'name', help: 'name of the split that the data are' },
  context: {
    kind: 'text',
    default: 'none',
    unit: 'flags',
    help: 'what is shown beside the target: none, or flags joined by dashes (submission, media, discussion, user)',
  },
  phrase: { kind: 'text', default: 'baseline', unit: 'name', help: 'phrase that leads into the answer' },
  mode: {
    kind: 'choice',
    choices: PHRASE_MODES,
    default: 'prefill',
    help: 'prefill: the answer begins with the phrase; prompt: it is asked for behind the question',
  },
  chat: {
    kind: 'choice',
    choices: ['auto', 'on', 'off'],
    default: 'auto',
    help: "ask in the model's chat template; auto: where it has one",
  },
  maxResponseTokens: {
    kind: 'whole',
    least: 1,
    default: 2048,
    unit: 'n',
    help: 'most tokens of the answer in free words',
  },
  finalTokens: { kind: 'whole', least: 1, default: 10, unit: 'n', help: 'most tokens of the final choice' },
  temperature: {
    kind: 'number',
    least: 0,
    default: 0,
    unit: 't',
    help: 'of the answer in free words; the final choice is always the likeliest',
  },
  sampleSeed: { kind: 'whole', least: 0, default: 0, unit: 'n', help: 'seed of what is drawn above 0' },
  final: {
    kind: 'choice',
    choices: ['auto', 'append', 'turn'],
    default: 'auto',
    help: "append: the final choice continues the model's own answer; turn: it is asked for in another turn; auto: append where the model's answer can be continued",
  },
  parser: {
    kind: 'choice',
    choices: RULES_PARSERS,
    default: 'anchored',
    help: "how choices are read: this project's way, or the original's",
  },
  inline: {
    kind: 'switch',
    default: false,
    help: 'examples stand in one text with the question, not as turns in front of it',
  },
  mediaRoot: {
    kind: 'text',
    default: 'data/media',
    unit: 'folder',
    help: 'what paths of images start from',
  },
  finalModel: {
    kind: 'text',
    default: null,
    unit: 'model',
    help: 'the model that makes the final choice, where it is another',
  },
  // What the run tells of what it was given besides, so that two runs differ by it.
  tables: { kind: 'text', default: null, unit: 'sha256', help: 'of contexts, phrases and template' },
  rag: { kind: 'text', default: null, unit: 'json', help: 'how examples were retrieved' },
} as const satisfies OptionTable;

export type RulesOptions = OptionValues<typeof options>;
