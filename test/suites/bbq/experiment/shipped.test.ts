/** The shipped rows, value by value, and the tokens of their results. */
import { describe, expect, it } from 'vitest';
import {
  AXES,
  AXIS_KEYS,
  axisValues,
  neededAtRun,
  resolveExperiment,
  resultToken,
  shippedExperiments,
  tokenPattern,
  validateExperiments,
} from '../../../../src/suites/bbq/experiment/index.ts';
import { fault } from '../../../fault.ts';

// Where no table of the user's own is.
const folder = 'no-such-folder';
const KEYS = 'mode quant fields image options disambig inject vo retry token text_only strip_image_ref';
// Written out in full, so that a default that moves shows in every row.
const ROWS = `
main             default no  masked   dataset   plain plain  no  yes no  main            no  no
quant            default yes masked   dataset   plain plain  no  yes no  quant           no  no
temp             temp    no  masked   dataset   plain plain  no  yes no  temp            no  no
reasoning        default no  masked   dataset   plain plain  no  yes yes reasoning       no  no
aug_img          default no  masked   aug       plain plain  no  yes no  aug             no  no
img_label        default no  masked   aug       label masked no  yes no  aug             no  no
realworld        default no  masked   realworld plain plain  no  no  no  realworld       no  no
context_unmasked default no  masked   dataset   plain plain  yes yes no  un_con_m_option no  no
unmasked_w_img   default no  unmasked dataset   plain plain  no  yes no  unmasked_w_img  no  no
unmasked_wo_img  default no  unmasked blank     plain plain  no  yes no  unmasked_wo_img no  no
llm              default no  unmasked none      plain plain  no  no  no  llm             yes yes
`
  .trim()
  .split('\n')
  .map((line) => line.split(/ +/));

describe('the shipped experiments', () => {
  it('are eleven, in this order', async () => {
    expect(await shippedExperiments()).toEqual(ROWS.map(([name]) => name));
    expect(AXIS_KEYS.join(' ')).toBe(KEYS);
  });

  it.each(ROWS)('%s has its values', async (name, ...values) => {
    const experiment = await resolveExperiment(name!, { folder });
    const expected = KEYS.split(' ').map((key, index) => {
      const value = values[index];
      return [key, AXES[key as keyof typeof AXES].kind === 'flag' ? value === 'yes' : value];
    });
    expect(axisValues(experiment)).toEqual(Object.fromEntries(expected));
    expect(experiment).toMatchObject({ name, source: 'shipped', description: expect.any(String) });
  });

  it('have neither faults nor warnings', async () => {
    const { file, experiments, faults, warnings } = await validateExperiments(undefined, { folder });
    expect([file, faults, warnings]).toEqual(['the shipped table', [], []]);
    expect(experiments).toHaveLength(11);
  });
});

describe('resultToken', () => {
  const GIVEN = { augmentation: 'gray', temperature: 0.7, reasoningMode: 'think' };

  it.each([
    ['main', 'main', 'main', []],
    ['quant', 'quant', 'quant', []],
    ['temp', 'temp_0.7', 'temp_<temperature>', ['temperature']],
    ['reasoning', 'think', '<reasoning mode>', ['reasoningMode']],
    ['aug_img', 'gray', '<augmentation>', ['augmentation']],
    ['img_label', 'gray', '<augmentation>', ['augmentation']],
    ['context_unmasked', 'un_con_m_option', 'un_con_m_option', []],
  ])('of %s is %s', async (name, token, pattern, needed) => {
    const experiment = await resolveExperiment(name, { folder });
    expect(resultToken(experiment, GIVEN)).toBe(token);
    expect(tokenPattern(experiment)).toBe(pattern);
    expect(neededAtRun(experiment)).toEqual(needed);
  });

  it('joins what a run is given', async () => {
    const all = { ...(await resolveExperiment('aug_img', { folder })), mode: 'temp', retry: true } as const;
    expect(resultToken(all, GIVEN)).toBe('gray_temp_0.7_think');
    expect(resultToken(all, { ...GIVEN, temperature: 0 })).toBe('gray_temp_0_think');
  });

  it.each([
    ['aug_img', {}, 'since its image is aug'],
    ['temp', {}, 'since its mode is temp'],
    ['reasoning', { temperature: 1 }, 'since its retry is true'],
    ['temp', { temperature: -1 }, 'temperature is -1'],
    ['temp', { temperature: Number.NaN }, 'temperature is NaN'],
    ['aug_img', { augmentation: '../gray' }, 'names a folder'],
    ['reasoning', { reasoningMode: '' }, 'names a folder'],
  ])('of %s with %o is refused', async (name, given, says) => {
    const experiment = await resolveExperiment(name, { folder });
    const error = fault(() => resultToken(experiment, given));
    expect([error.code, error.message]).toEqual(['bad_argument', expect.stringContaining(says)]);
  });
});
