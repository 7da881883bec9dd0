/** `lexicon map`: how words become a model's token ids. */
import {
  checkMapped,
  type LexiconMapping,
  loadLexicon,
  type MultiTokenPolicy,
  traceLexicon,
} from '../../lexicon/index.ts';
import { openModel } from '../../model/index.ts';
import { formatJson, writeJson } from '../../report/index.ts';
import { print } from '../../report/terminal.ts';
import { warn } from '../../shell/exit.ts';
import { mappingLines, mappingTable } from '../../shell/mapping-sheet.ts';
import { type EngineFlags, engineOptions } from '../../shell/options.ts';

export interface MapFlags extends Pick<EngineFlags, 'timeout' | 'inProcess'> {
  model: string;
  policy: MultiTokenPolicy;
  capitalised: boolean;
  groupsOut?: string;
  json?: boolean;
}

// Nothing is decoded: the weights stay where they are in the file, and the context is as small as one may be.
const TOKENIZER_ONLY = { device: 'cpu', metricsImpl: 'cpu', contextLength: 1, batch: 1, threads: 1 } as const;

export async function map(name: string, flags: MapFlags): Promise<void> {
  const { policy, capitalised, groupsOut } = flags;
  const lexicon = await loadLexicon(name, { onWarning: warn });
  const model = await openModel(flags.model, { ...engineOptions(flags), ...TOKENIZER_ONLY });
  let mapping: LexiconMapping;
  try {
    mapping = await traceLexicon(lexicon, model.tokenizer, { policy, capitalised });
  } finally {
    await model.close();
  }
  // A group without ids is a fault, but what led to it is just what one wants to see.
  print(flags.json ? formatJson(mapping) : `${sheet(mapping)}\n`);
  checkMapped(mapping);
  if (groupsOut === undefined) return;
  await writeJson(groupsOut, Object.fromEntries(mapping.groups.map((group) => [group.name, group.ids])));
  if (!flags.json) print(`token ids written to ${groupsOut}\n`);
}

function sheet(mapping: LexiconMapping): string {
  return [mappingTable(mapping), '', ...mappingLines(mapping, 'see the table')].join('\n');
}
