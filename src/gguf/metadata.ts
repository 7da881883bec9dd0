/** A header's metadata by type, and the error for a file that cannot be used. */
import { AuditError } from '../errors.ts';
import type { GgufHeader, MetadataArray, Scalar } from './header.ts';

/** Metadata by type: a key that is absent, or of another type, is null. */
export function metadataOf({ metadata }: GgufHeader) {
  const scalar = (value: Scalar | MetadataArray | undefined) =>
    typeof value === 'object' ? undefined : value;
  const number = (value: Scalar | undefined) =>
    typeof value === 'number' || typeof value === 'bigint' ? Number(value) : null;
  return {
    text: (key: string) => {
      const value = scalar(metadata.get(key));
      return typeof value === 'string' ? value : null;
    },
    number: (key: string) => number(scalar(metadata.get(key))),
    flag: (key: string) => {
      const value = scalar(metadata.get(key));
      return typeof value === 'boolean' ? value : null;
    },
    array: (key: string) => {
      const value = metadata.get(key);
      return typeof value === 'object' ? value : null;
    },
    /** A number, or one for each layer. */
    numbers: (key: string): number | readonly number[] | null => {
      const value = metadata.get(key);
      if (typeof value !== 'object') return number(value);
      const items = value.items?.map(number) ?? [null];
      return items.includes(null) ? null : (items as number[]);
    },
  };
}

export function invalid(path: string, what: string): AuditError {
  return new AuditError('model_invalid', `model file ${path} cannot be used: ${what}`, { file: path });
}
