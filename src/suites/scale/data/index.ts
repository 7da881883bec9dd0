/** Public API of this folder: questionnaires kept as data, and the rules of their scores. */
export {
  bandDistance,
  bandNames,
  bandOf,
  bandOfValue,
  bandOrdinal,
  bandRanges,
  foldLabel,
  normBandDistance,
  readBand,
  roundHalfToEven,
} from './bands.ts';
export {
  createScale,
  deleteScale,
  readSetting,
  type SavedScale,
  type ScaleChanges,
  updateScale,
} from './change.ts';
export { type ListedScale, listScales } from './list.ts';
export { loadScale, readScaleFile } from './load.ts';
export { CASE_JOINT } from './names.ts';
export { askedSubscales, type PredictionKey, predictionKeys, predictionSchema } from './prediction.ts';
export type { PersonaColumn, Personas, Scale, ScaleResponse, Subscale } from './scale.ts';
export {
  itemScore,
  normScoreDistance,
  responseRange,
  responseValue,
  reverseValue,
  subscaleScore,
} from './scores.ts';
export { shippedScales } from './store.ts';
export { placeOf, templatesOf } from './templates.ts';
export { validateScale } from './validate.ts';
