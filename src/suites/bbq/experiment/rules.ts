/** What axes may not be together since it could not be run or would measure nothing, and what may not be meant. */
import type { AxisKey, AxisValues } from './axes.ts';

interface Rule {
  /** The axis that is at fault. */
  readonly key: AxisKey;
  readonly broken: (row: AxisValues) => boolean;
  readonly message: (row: AxisValues) => string;
}

export interface BrokenRule {
  readonly key: AxisKey;
  readonly message: string;
}

const shows = ({ image }: AxisValues) => image !== 'none' && image !== 'blank';

const FAULTS: readonly Rule[] = [
  {
    key: 'vo',
    broken: ({ vo, image }) => vo && image === 'none',
    message: () =>
      'vo is true, but image is none: a visual-only part would have nothing to look at; set vo=false',
  },
  {
    key: 'text_only',
    broken: ({ text_only, image }) => text_only && image !== 'none',
    message: ({ image }) =>
      `text_only is true, but image is ${image}: a model opened for text cannot see it; set image=none, or text_only=false`,
  },
  {
    key: 'options',
    broken: ({ options, image }) => options === 'label' && image === 'none',
    message: () =>
      'options is label, but image is none: no image shows who person A is; set options=plain, or give an image',
  },
  {
    key: 'inject',
    broken: ({ inject, fields }) => inject && fields === 'unmasked',
    message: () =>
      'inject is true, but fields is unmasked: the context names the groups already; set inject=false, or fields=masked',
  },
];

const WARNINGS: readonly Rule[] = [
  {
    key: 'options',
    broken: ({ options, image }) => options === 'label' && image === 'blank',
    message: () => 'options is label, but a blank image shows nobody who could be person A',
  },
  {
    key: 'fields',
    broken: (row) => row.fields === 'masked' && !row.inject && !shows(row),
    message: ({ image }) =>
      `fields is masked and image is ${image}: neither text nor image tells which group a person is of`,
  },
  {
    key: 'strip_image_ref',
    broken: ({ strip_image_ref, image }) => !strip_image_ref && image === 'none',
    message: () => 'image is none, but questions keep " in the image"; strip_image_ref=true takes it out',
  },
  {
    key: 'strip_image_ref',
    broken: (row) => row.strip_image_ref && shows(row),
    message: () => 'strip_image_ref takes " in the image" out of questions about an image that is shown',
  },
];

/** Why the row cannot be run; empty if it can. */
export function ruleFaults(row: AxisValues): BrokenRule[] {
  return brokenOf(FAULTS, row);
}

/** What can be run but may not be meant. */
export function ruleWarnings(row: AxisValues): BrokenRule[] {
  return brokenOf(WARNINGS, row);
}

function brokenOf(rules: readonly Rule[], row: AxisValues): BrokenRule[] {
  return rules
    .filter(({ broken }) => broken(row))
    .map(({ key, message }) => ({ key, message: message(row) }));
}
