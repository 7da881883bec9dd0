/**
 * The image of a row by the axis: paths as MultiBBQ lays them out, from its own root. Which file of a photograph it is
 * only the folder tells; there the path has a `*`.
 */
import type { BbqOptions } from './options.ts';
import type { BbqRow } from './row.ts';

type ImageOptions = Pick<BbqOptions, 'image' | 'augmentation' | 'split'>;
type Source = (row: BbqRow & { readonly image: string }, options: ImageOptions) => string;

const GENERATED = 'gpt_image_gen';

const SOURCES: Readonly<Record<Exclude<BbqOptions['image'], 'none'>, Source>> = {
  dataset: ({ image }) => image,
  aug: ({ image }, { augmentation }) => image.replace(GENERATED, `${GENERATED}_${augmentation}`),
  blank: () => './data/images/pure_white_1024_1024.png',
  realworld: ({ ids, category }, { split }) =>
    `./data/images/real_world_image/${split}_${category}_q${ids.q_id}_c${ids.c_id}_*.png`,
};

/** Path of the image that goes with the row's question; null where none does. */
export function imageOf(row: BbqRow, options: ImageOptions): string | null {
  if (options.split === 'text' || options.image === 'none' || row.image === null) return null;
  return SOURCES[options.image]({ ...row, image: row.image }, options);
}
