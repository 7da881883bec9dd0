/**
 * The category under which a row is reported. Rows that name people by proper names ("Tanisha Booker"), and not by a group,
 * are name proxies and have categories of their own: a name says less of its group than the group's own label.
 */
import { type BbqRow, OPTIONS, tagOf } from './row.ts';

export function reportedCategory(row: BbqRow): string {
  return isNameProxy(row) ? `${row.category} (names)` : row.category;
}

/** Templates of Race_x_gender with proper names, by their published numbers; its tags do not tell. */
const RACE_X_GENDER = new Set(
  [2, 4, 6, 8, 12, 14, 18, 20, 23, 25, 27, 29, 31, 33, 35, 37, 40, 42, 44].map(String),
);

/** The row's own `label_type` decides; without it, the marks by which BBQ's files tell proper names. */
function isNameProxy(row: BbqRow): boolean {
  if (row.labelType !== null && row.labelType !== '') return row.labelType === 'name';
  switch (row.category) {
    // Only a name brings a gender along: "F-Black" is a name's tag, "Black" a label's.
    case 'Race_ethnicity':
      return hasTag(row, /^[MF]-/);
    case 'Race_x_SES':
      return hasTag(row, /^(?:low|high)SES-[MF]-/);
    // A label is tagged by its own word ("woman", "girl"), a name by the gender's letter.
    case 'Gender_identity':
      return hasTag(row, /(?:^|_)[MF]$/);
    case 'Race_x_gender':
      return RACE_X_GENDER.has(row.template);
    default:
      return false;
  }
}

function hasTag(row: BbqRow, pattern: RegExp): boolean {
  return OPTIONS.some((option) => option !== row.unknown && pattern.test(tagOf(row.info[option]!)));
}
