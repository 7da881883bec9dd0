/** Public API of this folder: questionnaires kept as data, and the rules of their scores. */
export {
  bandDistance,
  bandNames,
  bandOf,
  bandOfValue,
  bandOrdinal,
  bandRanges,
  foldLabel,
  isNoLabel,
  NO_LABELS,
  normBandDistance,
  type ReadBand,
  readBand,
  roundHalfToEven,
} from './bands.ts';
export {
  createScale,
  type DeletedScale,
  deleteScale,
  readSetting,
  type SavedScale,
  type ScaleChanges,
  type ScaleContent,
  type UpdatedScale,
  updateScale,
} from './change.ts';
export { type ListedScale, listScales, type ScaleList } from './list.ts';
export { loadScale, readScaleFile } from './load.ts';
export { CASE_JOINT } from './names.ts';
export {
  askedSubscales,
  type PredictionField,
  type PredictionKey,
  type PredictionSchema,
  predictionKeys,
  predictionSchema,
} from './prediction.ts';
export type {
  Banded,
  PersonaColumn,
  Personas,
  Scale,
  ScaleBand,
  ScaleItem,
  ScaleOrigin,
  ScaleResponse,
  Subscale,
  Tier,
} from './scale.ts';
export {
  itemScore,
  normScoreDistance,
  responseRange,
  responseValue,
  reverseValue,
  subscaleScore,
} from './scores.ts';
export { OWN_SCALES, type ScaleFolder, scaleFiles, shippedScales } from './store.ts';
export { placeOf, templatesOf } from './templates.ts';
export { type ScaleReport, validateScale } from './validate.ts';
