/**
 * What must hold between the entries of a scale: labels that mean one answer, subscales of items that there are, bands
 * that leave no score out, keys that a model cannot confuse, and tiers of parts that there are.
 */
import type { ShapeFault } from '../../../catalog/index.ts';
import { foldLabel, isNoLabel } from './bands.ts';
import { personaFaults } from './persona-rules.ts';
import type { ScaleFile } from './schema.ts';
import { responseRange } from './scores.ts';
import type { ReadTemplates } from './templates.ts';

type Path = (string | number)[];
type FileBands = ScaleFile['bands'];

/** The faults between entries of a file that has the right shape. */
export function checkRules(file: ScaleFile, templates: ReadTemplates): ShapeFault[] {
  return [
    ...responseFaults(file),
    ...subscaleFaults(file),
    ...bandFaults(['bands'], file.bands),
    ...Object.entries(file.subscales).flatMap(([name, { bands }]) =>
      bands === undefined ? [] : bandFaults(['subscales', name, 'bands'], bands),
    ),
    ...rangeFaults(file),
    ...keyFaults(file),
    ...askedFaults(file),
    ...personaFaults(file, templates),
  ];
}

function responseFaults({ responses }: ScaleFile): ShapeFault[] {
  const faults: ShapeFault[] = [];
  const values = new Map<number, number>();
  const labels = new Map<string, string>();
  for (const [index, { value, labels: own }] of responses.entries()) {
    const first = values.get(value);
    if (first !== undefined) {
      const message = `responses[${index}].value is ${value}, as that of responses[${first}]; put the labels of one value into one entry`;
      faults.push({ path: ['responses', index, 'value'], message });
    }
    values.set(value, first ?? index);
    for (const [at, label] of own.entries()) {
      const place = `responses[${index}].labels[${at}]`;
      const before = labels.get(foldLabel(label));
      if (before !== undefined) {
        const message = `${place}: "${label}" is already ${before}, case apart; a label means one answer`;
        faults.push({ path: ['responses', index, 'labels', at], message });
      }
      labels.set(foldLabel(label), before ?? place);
    }
  }
  return faults;
}

function subscaleFaults({ items, subscales }: ScaleFile): ShapeFault[] {
  if (Object.keys(subscales).length === 0) {
    return [{ path: ['subscales'], message: 'subscales is empty; give at least one' }];
  }
  const used = new Set<string>();
  const faults = Object.entries(subscales).flatMap(([name, { items: own }]) =>
    own.flatMap((item, index): ShapeFault[] => {
      used.add(item);
      const path: Path = ['subscales', name, 'items', index];
      const place = `subscales.${name}.items[${index}]: "${item}"`;
      if (!Object.hasOwn(items, item)) {
        return [{ path, message: `${place} is no item; add it to items, or take it out here` }];
      }
      return own.indexOf(item) === index
        ? []
        : [{ path, message: `${place} is listed twice; an item counts once` }];
    }),
  );
  const unused = Object.keys(items)
    .filter((item) => !used.has(item))
    .map((item) => ({
      path: ['items', item],
      message: `items.${item} is in no subscale; add it to one, or remove it`,
    }));
  return [...faults, ...unused];
}

/** One cut between neighbours, and cuts that rise. */
function bandFaults(at: Path, bands: FileBands): ShapeFault[] {
  const faults: ShapeFault[] = [];
  const key = at.join('.');
  const names = new Map<string, number>();
  for (const [index, { name }] of bands.entries()) {
    const first = names.get(foldLabel(name));
    if (first !== undefined) {
      faults.push({
        path: [...at, index, 'name'],
        message: `${key}[${index}].name is that of ${key}[${first}] too`,
      });
    }
    names.set(foldLabel(name), first ?? index);
    if (isNoLabel(name)) {
      const message = `${key}[${index}].name is "${name}", which files write where there is no band; call it otherwise`;
      faults.push({ path: [...at, index, 'name'], message });
    }
  }
  const ends = [
    ...(bands[0]!.from === undefined ? [] : [{ index: 0, end: 'from', what: 'first' }]),
    ...(bands.at(-1)!.upTo === undefined ? [] : [{ index: bands.length - 1, end: 'upTo', what: 'last' }]),
  ];
  for (const { index, end, what } of ends) {
    const message = `${key}[${index}].${end}: the ${what} band has no end of its own there; leave ${end} out`;
    faults.push({ path: [...at, index, end], message });
  }
  let last = Number.NEGATIVE_INFINITY;
  for (const [index, { upTo }] of bands.slice(0, -1).entries()) {
    const { from } = bands[index + 1]!;
    const between = `${key}[${index}] and ${key}[${index + 1}]`;
    if ((upTo === undefined) === (from === undefined)) {
      const why = upTo === undefined ? 'no cut' : 'two cuts';
      const message = `${between} have ${why} between them; give upTo of the lower one, or from of the upper one`;
      faults.push({ path: [...at, index], message });
      continue;
    }
    const cut = (upTo ?? from)!;
    // `upTo` 13 leaves the next band what is above 13, `from` 14 what is 14 and above.
    if (cut < last || (cut === last && upTo !== undefined)) {
      faults.push({
        path: [...at, index],
        message: `the cut between ${between} is not above the one before it`,
      });
    }
    last = cut;
  }
  return faults;
}

/** Every band of a subscale must hold a sum that its items can have. */
function rangeFaults({ responses, subscales, bands: shared }: ScaleFile): ShapeFault[] {
  const { lowest, highest } = responseRange({ responses });
  return Object.entries(subscales).flatMap(([name, { items, bands: own }]): ShapeFault[] => {
    const bands = own ?? shared;
    const [min, max] = [items.length * lowest, items.length * highest];
    const cuts = bands.flatMap(({ upTo, from }) => [
      ...(upTo === undefined ? [] : [{ cut: upTo, inside: upTo >= min && upTo < max, key: 'upTo' }]),
      ...(from === undefined ? [] : [{ cut: from, inside: from > min && from <= max, key: 'from' }]),
    ]);
    const outside = cuts.find(({ inside }) => !inside);
    if (outside === undefined) return [];
    const { key, cut } = outside;
    const message = `subscales.${name} has scores from ${min} to ${max}, which ${key}: ${cut} of its bands does not divide; give it bands of its own`;
    return [{ path: ['subscales', name], message }];
  });
}

function keyFaults({ subscales }: ScaleFile): ShapeFault[] {
  const seen = new Map<string, string>();
  return Object.entries(subscales).flatMap(([name, { key, bandKey }]) =>
    Object.entries({ key, bandKey }).flatMap(([which, value]): ShapeFault[] => {
      if (value === undefined) return [];
      const place = `subscales.${name}.${which}`;
      const first = seen.get(value);
      seen.set(value, first ?? place);
      if (value === '__proto__') {
        return [{ path: ['subscales', name, which], message: `${place} is "__proto__"; call it otherwise` }];
      }
      if (first === undefined) return [];
      const message = `${place} is "${value}", as is ${first}; each needs a key of its own in the model's answer`;
      return [{ path: ['subscales', name, which], message }];
    }),
  );
}

function askedFaults({ asked = [], subscales }: ScaleFile): ShapeFault[] {
  return asked.flatMap((name, index): ShapeFault[] => {
    const path: Path = ['asked', index];
    if (!Object.hasOwn(subscales, name)) {
      const known = Object.keys(subscales).join(', ');
      return [{ path, message: `asked[${index}]: "${name}" is no subscale; the subscales are ${known}` }];
    }
    return asked.indexOf(name) === index
      ? []
      : [{ path, message: `asked[${index}]: "${name}" is listed twice` }];
  });
}
