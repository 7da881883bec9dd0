/** Public API of this folder: data files opened, read row by row, surveyed, and held against a schema. */
export type { CheckedRow } from './check.ts';
export { checkRow, describeIssue, rowProblem } from './check.ts';
export type { Dataset, DatasetFormat, DatasetOptions } from './dataset.ts';
export { openDataset } from './dataset.ts';
export { filesIn } from './file.ts';
export type { IdOf } from './ids.ts';
export { uniqueIds } from './ids.ts';
export type { JsonParts } from './json-members.ts';
export { readJsonParts } from './json-members.ts';
export type { DatasetRow } from './row.ts';
export type { Survey, SurveyedFile, SurveyOptions } from './survey.ts';
export { type SurveyPart, surveyDataset, surveyParts } from './survey.ts';
export { tableFile } from './table.ts';
