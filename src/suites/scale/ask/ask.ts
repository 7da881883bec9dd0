/** The request that a persona becomes. */
import { createHash } from 'node:crypto';
import type { GenerateRequest } from '../../../observation/observation.ts';
import { predictionKeys, type Scale } from '../data/index.ts';
import { answerGrammar } from './grammar.ts';
import type { Persona } from './persona.ts';

/** How answers are asked for. */
export interface ScaleAsking {
  /** As a chat in the model's own template, or as one text. */
  readonly chat: boolean;
  /** Only a JSON object of the right keys and ranges can be written. */
  readonly guided: boolean;
  readonly maxTokens: number;
  /** 0: the likeliest token at each step. */
  readonly temperature: number;
  readonly topP: number;
  /** Of what is sampled; each case draws by a seed of its own, made of this one and its id. */
  readonly sampleSeed: number;
}

/** What makes requests of personas, its grammar written once. Throws `bad_argument`. */
export function scaleAsker(
  scale: Scale,
  asked: readonly string[] | undefined,
  { chat, guided, maxTokens, temperature, topP, sampleSeed }: ScaleAsking,
): (caseId: string, persona: Persona) => GenerateRequest {
  const grammar = guided ? answerGrammar(scale, asked) : null;
  const roles = Object.fromEntries(
    predictionKeys(scale, asked).flatMap((key) =>
      key.kind === 'score' ? [[key.key, `${key.min}..${key.max}`]] : [],
    ),
  );
  return (caseId, persona) => ({
    kind: 'generate',
    prompt: promptOf(persona, chat, guided),
    maxTokens,
    temperature,
    topP,
    seed: temperature === 0 ? 0 : seedOf(sampleSeed, caseId),
    ...(grammar === null ? {} : { grammar }),
    roles,
  });
}

function promptOf({ system, user }: Persona, chat: boolean, guided: boolean): GenerateRequest['prompt'] {
  if (!chat) return `${system}\n\n${user}\n\n`;
  return {
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: user },
    ],
    // The grammar leaves no room for thoughts.
    ...(guided ? { closeThink: true } : {}),
  };
}

/** 32 bits of the case's own: with one seed for all, every case would draw the same numbers. */
export function seedOf(sampleSeed: number, caseId: string): number {
  return createHash('sha256').update(`${sampleSeed}\n${caseId}`).digest().readUInt32BE(0);
}
