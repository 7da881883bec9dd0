/** The face of this room: data files opened, read row by row, surveyed, and held against a schema. */
export type { CheckedRow } from './check.ts';
export { checkRow, rowProblem } from './check.ts';
export type { Dataset, DatasetFormat, DatasetOptions } from './dataset.ts';
export { openDataset } from './dataset.ts';
export type { DatasetRow } from './row.ts';
export type { Survey, SurveyOptions } from './survey.ts';
export { surveyDataset } from './survey.ts';
