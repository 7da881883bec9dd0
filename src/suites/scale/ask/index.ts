/** Scales as they are asked: personas, and the requests that they become. */
export {
  type AdministerAsking,
  type EarlierItem,
  type ItemAnswer,
  itemRequests,
  type LetterAnswer,
  readItem,
} from './administer.ts';
export { type ScaleAsking, scaleAsker } from './ask.ts';
export { answerGrammar } from './grammar.ts';
export { type Cells, checkPersonas, type Persona, type WrittenPersonas, writePersonas } from './persona.ts';
export {
  DEFAULT_ORDERS,
  INSTRUCTIONS,
  planQuestionnaire,
  type Questionnaire,
  type QuestionnaireCase,
  type QuestionnaireOptions,
} from './questionnaire.ts';
