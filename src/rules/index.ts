/** The face of this room: rule moderation as data and numbers. No model, no run. */
export { type AnswerOption, answerOptions, letterOf, NO_RULE_BROKEN } from './options/options.ts';
export { PythonRandom } from './options/python-random.ts';
export { drawSeed, fromBase36, optionSeed } from './options/seed.ts';
export { THREAD_TYPES, type ThreadType } from './thread-type.ts';
