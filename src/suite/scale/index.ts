/** Scales as they are asked: personas, and the requests that they become. */
export { type ScaleAsking, scaleAsker } from './ask.ts';
export { answerGrammar } from './grammar.ts';
export { type Cells, checkPersonas, type Persona, type WrittenPersonas, writePersonas } from './persona.ts';
