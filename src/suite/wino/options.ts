/** What a user may choose of the suite wino. */

import { normaliseOption } from '../continuations.ts';
import type { OptionTable, OptionValues } from '../options.ts';
import { templateOption } from '../referent/template.ts';

export const winoOptions = {
  template: { ...templateOption, help: `WinoGender: ${templateOption.help}` },
  normalise: normaliseOption,
} as const satisfies OptionTable;

export type WinoOptions = OptionValues<typeof winoOptions>;
