/** Models in several files, as llama.cpp splits them: name-00001-of-00003.gguf and so on. */
import { basename, dirname, join } from 'node:path';
import { AuditError } from '../errors.ts';
import { type GgufHeader, readHeader } from './header.ts';
import { invalid, metadataOf } from './metadata.ts';

const PART_NAME = /^(.*)-(\d{5})-of-(\d{5})\.gguf$/;
const MAX_PARTS = 1000;

/** The headers of the parts after the first; none of a model in one file. Errors: of `summarizeGguf`. */
export async function otherParts(first: GgufHeader): Promise<GgufHeader[]> {
  const read = metadataOf(first);
  const count = read.number('split.count') ?? 1;
  if (count <= 1) return [];
  const named = PART_NAME.exec(basename(first.path));
  if (count > MAX_PARTS || named === null || Number(named[3]) !== count) {
    throw invalid(first.path, `it is one of ${count} parts, but is not named name-00001-of-0000N.gguf`);
  }
  const paths = Array.from({ length: count }, (_, index) =>
    join(dirname(first.path), `${named[1]}-${String(index + 1).padStart(5, '0')}-of-${named[3]}.gguf`),
  );
  const part = read.number('split.no') ?? 0;
  if (part !== 0)
    throw invalid(first.path, `it is part ${part + 1} of ${count}; give the first, ${paths[0]}`);
  const rest: GgufHeader[] = [];
  const missing: string[] = [];
  for (const path of paths.slice(1)) {
    try {
      rest.push(await readHeader(path));
    } catch (thrown) {
      if (!(thrown instanceof AuditError) || thrown.code !== 'file_not_found') throw thrown;
      missing.push(path);
    }
  }
  if (missing.length > 0) {
    const message = `${missing.length} of ${count} parts of ${first.path} are missing: ${missing.join(', ')}; put all into one folder`;
    throw new AuditError('file_not_found', message, { file: missing[0], missing });
  }
  checkTogether(first, rest, count);
  return rest;
}

/** Are the parts what their names say, and of one model? */
function checkTogether(first: GgufHeader, rest: readonly GgufHeader[], count: number): void {
  rest.forEach((part, index) => {
    const read = metadataOf(part);
    if (read.number('split.no') !== index + 1 || read.number('split.count') !== count)
      throw invalid(part.path, `inside it is not part ${index + 2} of ${count}; download or copy it again`);
  });
  const tensors = [first, ...rest].flatMap((part) => part.tensors.map(({ name }) => name));
  const counted = metadataOf(first).number('split.tensors.count');
  if (counted !== new Set(tensors).size) {
    const found = `its parts hold ${new Set(tensors).size} tensors, and it counts ${counted ?? 'none'}`;
    throw invalid(first.path, `${found}; parts of different files?`);
  }
}
