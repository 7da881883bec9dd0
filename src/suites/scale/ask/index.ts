/** Scales as they are asked: personas, and the requests that they become. */
export {
  type AdministerAsking,
  type EarlierItem,
  type ItemAnswer,
  itemRequests,
  type LetterAnswer,
  readItem,
} from './administer.ts';
export { scaleAsker } from './ask.ts';
export { answerGrammar } from './grammar.ts';
export { checkPersonas, type Persona, type WrittenPersonas, writePersonas } from './persona.ts';
export {
  planQuestionnaire,
  type Questionnaire,
  type QuestionnaireCase,
  type QuestionnaireOptions,
} from './questionnaire.ts';
