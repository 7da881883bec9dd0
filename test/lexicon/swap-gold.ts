/** Sentences whose pronouns people marked, so that the partner of "her" and of "his" is known. */
import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { sharedFile } from '../oracle/shared.ts';

export interface GoldItem {
  readonly text: string;
  /** Where the pronoun starts, and what it becomes. */
  readonly start: number;
  readonly to: string;
}

const COUNTERPARTS = new Set(['he she', 'her him', 'her his', 'herself himself']);

/** WinoBias: the other file has the same sentence with the other pronoun. Null where the data is not there. */
export function winoBias(): GoldItem[] | null {
  const items: GoldItem[] = [];
  for (const type of ['type1', 'type2']) {
    for (const part of ['dev', 'test']) {
      const files = ['pro', 'anti'].map((kind) =>
        sharedFile(`datasets/winobias/WinoBias/wino/data/${kind}_stereotyped_${type}.txt.${part}`),
      );
      if (files[0] == null || files[1] == null) return null;
      const [pro, anti] = files.map((file) => readFileSync(file!, 'utf8').trim().split('\n'));
      for (const [index, line] of pro!.entries()) {
        const a = pronounIn(line);
        const b = pronounIn(anti![index]!);
        // A dozen lines have a fault: another pronoun in the other file, or the same.
        if (a === null || b === null || !COUNTERPARTS.has([a.word, b.word].sort().join(' '))) continue;
        items.push(
          { text: line, start: a.start, to: b.word },
          { text: anti![index]!, start: b.start, to: a.word },
        );
      }
    }
  }
  return items;
}

/** WinoGender: templates say which pronoun a place takes, and both participants of each. */
export function winoGender(): GoldItem[] | null {
  const file = sharedFile('datasets/winogender/data/templates.tsv');
  if (file === null) return null;
  const forms = { NOM: ['she', 'he'], POSS: ['her', 'his'], ACC: ['her', 'him'] } as const;
  const lines = readFileSync(file, 'utf8').trim().split('\n').slice(1);
  return lines.flatMap((line) => {
    const [occupation, participant, , template] = line.split('\t') as [string, string, string, string];
    return [`the ${participant}`, 'someone'].flatMap((other) => {
      const sentence = template
        .replace('$OCCUPATION', occupation)
        .replace(
          /^The \$PARTICIPANT/,
          other.replace(/^[ts]/, (letter) => letter.toUpperCase()),
        )
        .replace('the $PARTICIPANT', other)
        .replace('$PARTICIPANT', participant);
      const place = /\$(NOM|POSS|ACC)_PRONOUN/.exec(sentence)!;
      const form = forms[place[1] as keyof typeof forms];
      return [0, 1].map((side) => ({
        text: sentence.replace(place[0], form[side]!),
        start: place.index,
        to: form[1 - side]!,
      }));
    });
  });
}

/** CrowS-Pairs: sentences as people write them, with every "him" and "his" made "her". */
export function crowsPairs(): GoldItem[] | null {
  const file = sharedFile('datasets/crows-pairs/data/crows_pairs_anonymized.csv');
  if (file === null) return null;
  const rows = parse(readFileSync(file), { columns: true }) as { sent_more: string }[];
  return rows.flatMap(({ sent_more: sentence }) => {
    const places = [...sentence.matchAll(/\b(?:him|his)\b/giu)];
    let text = sentence;
    for (const { 0: word, index } of places) {
      text = `${text.slice(0, index)}${word.startsWith('H') ? 'Her' : 'her'}${text.slice(index + word.length)}`;
    }
    return places.map(({ 0: word, index }) => ({ text, start: index, to: word }));
  });
}

function pronounIn(line: string): { word: string; start: number } | null {
  const found = /\[(he|she|him|her|his|hers|himself|herself)\]/.exec(line);
  return found === null ? null : { word: found[1]!, start: found.index + 1 };
}
