/** The user's own rows through the API: made, changed, deleted, and what is refused. */
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  createExperiment,
  deleteExperiment,
  type ExperimentContent,
  listExperiments,
  resolveExperiment,
  updateExperiment,
} from '../../../../src/suites/bbq/experiment/index.ts';
import { faultOf } from '../../../fault.ts';
import { type TableFolder, tableFolder } from './folder.ts';

let table: TableFolder;
let folder: string;
beforeEach(() => {
  table = tableFolder();
  folder = table.folder;
});

const TEXT = `# all about them

experiments:
  # the first
  a: { image: aug } # in a line
  b:
    # what it looks at
    image: "blank" # white
    vo: no

    token: tok
  # the last
  c: {}
`;

describe('createExperiment', () => {
  it('makes the table of the first row, complete, and an experiment at once', async () => {
    const set = { image: 'aug', token: 'aug' } as const;
    const made = await createExperiment('gray_img', { from: 'main', set }, { folder });
    expect(made).toMatchObject({ name: 'gray_img', file: table.file, overridesShipped: false, warnings: [] });
    const main = await resolveExperiment('main', { folder });
    expect(await resolveExperiment('gray_img', { folder })).toEqual({
      ...main,
      name: 'gray_img',
      description: null,
      image: 'aug',
      token: 'aug',
      source: 'yours',
    });
    expect(await resolveExperiment('gray_img', { folder })).toEqual(made.experiment);
    for (const key of ['mode: default', 'quant: false', 'vo: true', 'token: aug']) {
      expect(table.read()).toContain(`    ${key}\n`);
    }
    expect(table.read()).not.toContain('text_only');
    expect(readdirSync(folder)).toEqual(['bbq.yaml']);
  });

  it('copies own and shipped ones, but their token and description', async () => {
    const made = await createExperiment('q', { from: 'llm', set: { quant: 'yes' } }, { folder });
    expect(made.experiment).toMatchObject({
      quant: true,
      textOnly: true,
      image: 'none',
      token: 'q',
      description: null,
    });
    const next = await createExperiment(
      'r',
      { from: 'q', set: { text_only: false }, description: 'd: #' },
      { folder },
    );
    expect(next.experiment).toMatchObject({ quant: true, textOnly: false, token: 'r', description: 'd: #' });
    const names = (await listExperiments({ folder })).map(({ name }) => name);
    expect(names.slice(-3)).toEqual(['llm', 'q', 'r']);
  });

  it('keeps what the table has, comments and line endings too', async () => {
    table.put(TEXT.replace(/\n/g, '\r\n'));
    await createExperiment('d', { set: { vo: false } }, { folder });
    expect(table.read().startsWith(`${TEXT.replace(/\n/g, '\r\n')}\r\n  d:\r\n`)).toBe(true);
  });

  it('warns of a token that another has', async () => {
    const { warnings } = await createExperiment('x', { set: { token: 'main', vo: false } }, { folder });
    expect(warnings).toEqual([expect.stringContaining('as those of main')]);
  });

  it('loses none of those that are made at once', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `e${index}`);
    await Promise.all(names.map((name) => createExperiment(name, {}, { folder })));
    expect((await listExperiments({ folder })).slice(11).map(({ name }) => name)).toEqual(names);
  });

  it.each<[what: string, name: string, content: object, code: string, says: string]>([
    ['a path', '../x', {}, 'bad_argument', '"../x" is not the name of an experiment'],
    ['no name', '', {}, 'bad_argument', 'is not the name'],
    ['a hidden name', '__proto__', {}, 'bad_argument', 'is not the name'],
    ['an unknown key', 'x', { set: { imag: 'aug' } }, 'bad_argument', 'imag is not a key of an experiment'],
    ['an unknown value', 'x', { set: { image: 'gray' } }, 'bad_argument', 'give dataset, aug, blank'],
    ['a description by --set', 'x', { set: { description: 'd' } }, 'bad_argument', 'give it as description'],
    ['an unknown source', 'x', { from: 'nix' }, 'bad_argument', 'no experiment is called "nix"'],
    ['no sense', 'x', { set: { image: 'none' } }, 'experiment_invalid', 'set vo=false (nothing was written)'],
    ['an empty description', 'x', { description: '' }, 'experiment_invalid', 'description is not a text'],
  ])('refuses %s and writes nothing', async (_what, name, content, code, says) => {
    const error = await faultOf(createExperiment(name, content as ExperimentContent, { folder }));
    expect([error.code, error.message]).toEqual([code, expect.stringContaining(says)]);
    expect(existsSync(folder)).toBe(false);
  });

  it('refuses a name that is there, tables that are none, and places that cannot be written', async () => {
    table.put(TEXT);
    const error = await faultOf(createExperiment('a', {}, { folder }));
    expect([error.code, error.message]).toEqual([
      'output_exists',
      expect.stringContaining('"experiment update"'),
    ]);
    table.put('rows: {}\n');
    expect((await faultOf(createExperiment('x', {}, { folder }))).code).toBe('experiment_invalid');
    expect(table.read()).toBe('rows: {}\n');
    const inFile = { folder: join(table.file, 'below') };
    expect((await faultOf(createExperiment('x', {}, inFile))).code).toBe('file_unwritable');
    const other = tableFolder();
    mkdirSync(other.file, { recursive: true });
    expect((await faultOf(createExperiment('x', {}, other))).code).toBe('file_unreadable');
  });
});

describe('updateExperiment', () => {
  it('sets keys, and keeps comments, order and all else', async () => {
    table.put(TEXT);
    const set = { image: 'aug', vo: 'yes', quant: true } as const;
    const { changes, experiment } = await updateExperiment('b', { set, description: 'B' }, { folder });
    expect(changes).toEqual([
      { key: 'image', value: 'aug' },
      { key: 'vo', value: true },
      { key: 'quant', value: true },
      { key: 'description', value: 'B' },
    ]);
    expect(experiment).toMatchObject({ image: 'aug', vo: true, quant: true, token: 'tok', description: 'B' });
    expect(table.read()).toBe(
      TEXT.replace('"blank"', '"aug"')
        .replace('vo: no', 'vo: true')
        .replace('tok\n', 'tok\n    quant: true\n    description: B\n'),
    );
  });

  it('mends a row whose neighbours are not right', async () => {
    table.put('experiments:\n  bad: {vo: 3}\n  worse: {image: none}\n');
    await updateExperiment('worse', { set: { vo: false } }, { folder });
    expect(table.read()).toBe('experiments:\n  bad: { vo: 3 }\n  worse: { image: none, vo: false }\n');
  });

  it.each<[what: string, name: string, changes: object, code: string, says: string]>([
    ['a shipped row', 'main', { set: { vo: false } }, 'bad_argument', 'experiment create NAME --from main'],
    ['a row that is not there', 'nix', { set: { vo: false } }, 'bad_argument', 'are: a, b, c'],
    ['nothing to change', 'a', {}, 'bad_argument', 'nothing to change'],
    ['an unknown key', 'a', { set: { x: '1' } }, 'bad_argument', 'x is not a key'],
    ['an unknown value', 'a', { set: { vo: 'x' } }, 'bad_argument', 'vo is "x"; give true or false'],
    ['no sense', 'a', { set: { text_only: true } }, 'experiment_invalid', 'set image=none'],
  ])('refuses %s and leaves the table as it is', async (_what, name, changes, code, says) => {
    table.put(TEXT);
    const error = await faultOf(updateExperiment(name, changes, { folder }));
    expect([error.code, error.message]).toEqual([code, expect.stringContaining(says)]);
    expect(table.read()).toBe(TEXT);
  });
});

describe('deleteExperiment', () => {
  it('takes a row out, and the shipped one is there again', async () => {
    table.put(TEXT);
    await createExperiment('main', { set: { vo: false } }, { folder });
    expect((await resolveExperiment('main', { folder })).vo).toBe(false);
    expect(await deleteExperiment('main', { folder })).toEqual({
      name: 'main',
      file: table.file,
      shippedRemains: true,
    });
    expect(await resolveExperiment('main', { folder })).toMatchObject({ vo: true, source: 'shipped' });
    expect(table.read()).toBe(TEXT);
  });

  it('leaves a table to which rows can be added', async () => {
    await createExperiment('x', {}, { folder });
    expect(await deleteExperiment('x', { folder })).toMatchObject({ shippedRemains: false });
    expect(table.read()).toContain('experiments: {}');
    await createExperiment('y', {}, { folder });
    expect((await listExperiments({ folder })).at(-1)!.name).toBe('y');
  });

  it.each([
    ['llm', 'llm comes with the package and is not deleted'],
    ['nix', 'no experiment is called "nix"'],
  ])('refuses %s', async (name, says) => {
    table.put(TEXT);
    const error = await faultOf(deleteExperiment(name, { folder }));
    expect([error.code, error.message]).toEqual(['bad_argument', expect.stringContaining(says)]);
    expect(table.read()).toBe(TEXT);
  });
});
