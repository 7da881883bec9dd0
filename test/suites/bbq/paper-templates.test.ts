/** The target in every pair of groups that the published templates and their vocabulary make. */
import { describe, expect, it } from 'vitest';
import { openDataset } from '../../../src/dataset/index.ts';
import { targetOf } from '../../../src/suites/bbq/score/paper/index.ts';
import { sharedFile } from '../../oracle/shared.ts';
import { makeRows, parsed } from './paper-rows.ts';

const PLAIN = parsed(makeRows({}, () => 0)[0]!);
/** Their templates say which tags the two options have. */
const TAGGED = ['Age', 'Disability_status', 'Physical_appearance'];
/** Their options come from a vocabulary: one in the stereotyped groups, one that is not. */
const WORDS = ['Race_ethnicity', 'Religion', 'Nationality', 'Sexual_orientation'];

const path = (category: string) => sharedFile(`datasets/bbq/templates/new_templates - ${category}.csv`);
const templates = Object.fromEntries([...TAGGED, ...WORDS].map((category) => [category, path(category)]));
const vocabulary = sharedFile('datasets/bbq/templates/vocabulary.csv');
const absent = vocabulary === null || Object.values(templates).includes(null);

async function records(file: string): Promise<Record<string, string>[]> {
  const found: Record<string, string>[] = [];
  for await (const { value } of openDataset(file).rows()) found.push(value as Record<string, string>);
  return found;
}

function groupsOf(template: Record<string, string>): string[] {
  return JSON.parse(template.Known_stereotyped_groups!.replaceAll('\n', ' '));
}

function resolved(target: readonly string[], other: readonly string[], stereotyped: readonly string[]) {
  const info = [other, ['Unknown', 'unknown'], target];
  return targetOf({ ...PLAIN, info, unknown: 1, stereotyped, targetLocation: null });
}

describe.skipIf(absent)('the published templates', () => {
  it.each(TAGGED)('%s: one of the two tags is stereotyped', async (category) => {
    const all = await records(templates[category]!);
    expect(all).toHaveLength(50);
    for (const template of all) {
      const [a, b] = [template.NAME1_info!, template.NAME2_info!].map((tag) => ['a name', tag]);
      const one = resolved(a!, b!, groupsOf(template));
      const turned = resolved(b!, a!, groupsOf(template));
      expect([one.option, turned.option].sort(), JSON.stringify([a, b])).toEqual([0, 2]);
    }
  });

  it.each(WORDS)('%s: the word of the stereotyped group is the target', async (category) => {
    const words = (await records(vocabulary!)).filter(
      (word) => word.Category === category && word.Pilot_include !== 'No',
    );
    let pairs = 0;
    for (const template of await records(templates[category]!)) {
      const groups = groupsOf(template);
      const info = ({ Name, Info }: Record<string, string>) => [
        Name!,
        category === 'Nationality' ? Info! : Name!,
      ];
      for (const word of words.filter(({ Name }) => groups.includes(Name!))) {
        for (const other of words.filter(({ Name }) => !groups.includes(Name!))) {
          expect(resolved(info(word), info(other), groups), `${word.Name} ${other.Name}`).toEqual({
            option: 2,
          });
          pairs += 1;
        }
      }
    }
    expect(pairs).toBeGreaterThan(100);
  });
});
