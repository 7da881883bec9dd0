/** What a user may choose of the suite wino. */

import type { OptionTable, OptionValues } from '../../contract/options.ts';
import { normaliseOption } from '../shared/continuations.ts';
import { templateOption } from '../shared/referent/template.ts';

export const winoOptions = {
  template: { ...templateOption, help: `WinoGender: ${templateOption.help}` },
  normalise: normaliseOption,
} as const satisfies OptionTable;

export type WinoOptions = OptionValues<typeof winoOptions>;
