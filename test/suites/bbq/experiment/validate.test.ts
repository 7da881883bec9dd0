/** Tables looked over: every fault with its line and key, and what is only warned of. */
import { describe, expect, it } from 'vitest';
import { describeFault } from '../../../../src/catalog/index.ts';
import {
  listExperiments,
  resolveExperiment,
  validateExperiments,
} from '../../../../src/suites/bbq/experiment/index.ts';
import { faultOf } from '../../../fault.ts';
import { tableFolder } from './folder.ts';

/** The faults of a table with these rows, as people read them. */
async function faultsOf(text: string): Promise<string[]> {
  const { put, file } = tableFolder();
  put(text);
  const { faults } = await validateExperiments(file);
  return faults.map((fault) => describeFault(fault, file));
}
const row = (text: string) => faultsOf(`experiments:\n  x: {${text}}\n`);

describe('validateExperiments', () => {
  it.each([
    ['image: gray', 'x.image is "gray"; give dataset, aug, blank, realworld or none'],
    ['vo: maybe', 'x.vo is "maybe"; give true or false'],
    ['vo: 1', 'x.vo is 1; give true or false'],
    ['mode: ', 'x.mode is null; give default or temp'],
    ['fields: [masked]', 'x.fields is ["masked"]; give masked or unmasked'],
    ['options: toString', 'x.options is "toString"; give plain or label'],
    ['disambig: Masked', 'x.disambig is "Masked"; give plain or masked'],
    ['token: ../x', 'x.token is "../x"; give a name of letters, digits, _ and -'],
    ['token: ""', 'x.token is ""; give a name'],
    ['token: 2024', 'x.token is the number 2024; write a name in quotes: "2024"'],
    ['description: ""', 'x.description is not a text'],
    ['__proto__: 1', 'x.__proto__ is not a key of an experiment; the keys are mode, quant,'],
    ['textOnly: true', 'x.textOnly is not a key of an experiment; the keys are mode, quant,'],
    ['vo: true, image: none', 'x: vo is true, but image is none'],
    ['text_only: true', 'x: text_only is true, but image is dataset'],
    ['image: none, vo: no, options: label', 'x: options is label, but image is none'],
    ['inject: yes, fields: unmasked', 'x: inject is true, but fields is unmasked'],
  ])('finds fault with {%s}', async (text, says) => {
    expect(await row(text)).toEqual([expect.stringContaining(`line 2: ${says}`)]);
  });

  it.each([
    ['', 'the file holds no keys'],
    ['- x', 'the file holds no keys'],
    ['rows: {}', '"rows" is not a key of the file'],
    ['experiments: [a]', 'experiments holds no rows by name'],
    ['experiments:\n  a b: {}', 'line 2: "a b" is not the name of an experiment'],
    ['experiments:\n  __proto__: {}', 'line 2: "__proto__" is not the name of an experiment'],
    ['experiments:\n  a: 3', 'line 2: a holds no keys with values'],
    ['experiments:\n  a: {}\n  a: {}', 'line 3: is not valid YAML: Map keys must be unique'],
  ])('finds fault with the file %j', async (text, says) => {
    expect(await faultsOf(text)).toEqual([expect.stringContaining(says)]);
  });

  it('tells all faults of all rows with line and path, and what is right', async () => {
    const { put, file, folder } = tableFolder();
    put(
      'experiments:\n  a:\n    image: gray\n    vo: 3\n  good: {vo: no}\n  b:\n    token: t\n    imag: aug\n',
    );
    const { faults, experiments } = await validateExperiments(undefined, { folder });
    expect(faults.map(({ line, path }) => [line, path.join('.')])).toEqual([
      [3, 'experiments.a.image'],
      [4, 'experiments.a.vo'],
      [8, 'experiments.b.imag'],
    ]);
    expect(faults[0]!.file).toBe(file);
    expect(experiments).toMatchObject([{ name: 'good', vo: false, token: 'good', source: 'yours' }]);
    const ofB = await validateExperiments('b', { folder });
    expect(ofB.faults.map(({ line }) => line)).toEqual([8]);
  });

  it('takes names of own and shipped experiments, and no others', async () => {
    const { put, folder } = tableFolder();
    put('experiments:\n  main: {image: none}\n');
    expect((await validateExperiments('main', { folder })).faults).toHaveLength(1);
    expect((await validateExperiments('llm', { folder })).experiments).toMatchObject([{ name: 'llm' }]);
    const error = await faultOf(validateExperiments('nix', { folder }));
    expect([error.code, error.message]).toEqual([
      'bad_argument',
      expect.stringMatching(/"nix"; shipped are: quant, .*llm; in .*bbq.yaml are: main$/),
    ]);
    expect((await faultOf(validateExperiments('./none.yaml'))).code).toBe('file_not_found');
  });

  it.each([
    ['options: label, image: blank, fields: unmasked', ['a blank image shows nobody']],
    ['image: blank', ['neither text nor image tells']],
    ['image: blank, inject: yes', []],
    ['image: none, vo: no, fields: unmasked', ['questions keep " in the image"']],
    ['strip_image_ref: yes', ['about an image that is shown']],
    ['token: main', ['its results go by the token main, as those of main']],
    ['image: aug, token: aug', []],
    ['fields: unmasked', []],
  ])('warns of {%s}: %j', async (text, says) => {
    const { put, folder } = tableFolder();
    put(`experiments:\n  x: {${text}}\n`);
    const { faults, warnings } = await validateExperiments(undefined, { folder });
    expect(faults).toEqual([]);
    expect(warnings.map(({ message }) => message)).toEqual(says.map((part) => expect.stringContaining(part)));
    expect(warnings.every(({ line }) => line === 2)).toBe(true);
  });

  it('says that a shipped one is overridden, and tells of two with one token the later', async () => {
    const { put, folder } = tableFolder();
    put('experiments:\n  a: {token: t}\n  main: {vo: no}\n  b: {token: t}\n');
    const { warnings } = await validateExperiments(undefined, { folder });
    expect(warnings.map(({ line, message }) => `${line} ${message}`)).toEqual([
      '3 main: is used instead of the shipped experiment',
      '4 b: its results go by the token t, as those of a; give it a token of its own',
    ]);
  });
});

describe('a table with faults', () => {
  it('gives the rows that are right, and the fault of one that is not, never the shipped one for it', async () => {
    const { put, folder, file } = tableFolder();
    put('experiments:\n  main: {image: gray}\n  good: {image: blank, vo: yes}\n');
    expect(await resolveExperiment('good', { folder })).toMatchObject({ image: 'blank', source: 'yours' });
    const error = await faultOf(resolveExperiment('main', { folder }));
    expect([error.code, error.message]).toEqual([
      'experiment_invalid',
      expect.stringContaining('line 2: main.image is "gray"'),
    ]);
    expect(error.data).toMatchObject({ file, line: 2, key: 'experiments.main.image' });
    const [main] = await listExperiments({ folder });
    expect(main).toMatchObject({ name: 'main', overridesShipped: true, experiment: null });
    put('experiments: {');
    expect((await faultOf(resolveExperiment('llm', { folder }))).code).toBe('experiment_invalid');
  });
});
