/** What a user may choose of the suite ctf. */
import type { OptionTable, OptionValues } from '../../contract/options.ts';

export const ctfOptions = {
  steps: {
    kind: 'choice',
    choices: ['probe', 'before', 'aligned', 'decode'],
    default: 'probe',
    help: 'which steps are compared: the one after the first lexicon word (probe); the one in front of it, which asks for the word itself (before); every step after the first difference at which both texts have the same next token; or those of the likeliest continuation, put behind both texts',
  },
  template: {
    kind: 'text',
    default: null,
    unit: 'text',
    help: 'makes x and x_swap of each row: "The {occupation} said that {she|he}" takes its column occupation',
  },
  decodeSteps: {
    kind: 'whole',
    least: 1,
    default: 32,
    unit: 'n',
    help: 'with --steps decode: how many steps',
  },
  topK: {
    kind: 'whole',
    least: 1,
    default: 20,
    unit: 'k',
    help: 'K of the top-K form of the divergence',
  },
  wholeWords: {
    kind: 'switch',
    default: false,
    help: 'exact masses of whole words, all their tokens and the end of the word, where a row has one step (slower)',
  },
  controls: {
    kind: 'switch',
    default: false,
    help: 'the yardstick of a probe: the same numbers for swaps of the neutral words that the lexicon names as controls, and the excess over them',
  },
  gate: {
    kind: 'switch',
    default: true,
    help: 'count gated steps only, where there are several (trigger A: a likely token is in a group; trigger B: an occupation and a pronoun or name are near)',
  },
  gateTopK: {
    kind: 'whole',
    least: 1,
    default: 20,
    unit: 'k',
    help: 'trigger A: how many of the likeliest tokens are looked at',
  },
  gateWindow: {
    kind: 'whole',
    least: 1,
    default: 8,
    unit: 'tokens',
    help: 'trigger B: within how many tokens, the last included, both words lie',
  },
  gateSteps: {
    kind: 'whole',
    least: 0,
    default: 3,
    unit: 'w',
    help: 'how many steps after its own a trigger opens',
  },
} as const satisfies OptionTable;

export type CtfOptions = OptionValues<typeof ctfOptions>;
