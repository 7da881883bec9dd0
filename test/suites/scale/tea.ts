/** The example of docs/scales.md: a small scale, and participants of it. */
import { readFileSync } from 'node:fs';

const DOCS = readFileSync(new URL('../../../docs/scales.md', import.meta.url), 'utf8');

function firstBlock(kind: string): string {
  const found = new RegExp(`^\`\`\`${kind}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(
    DOCS.slice(DOCS.indexOf('## An example')),
  );
  return found![1]!;
}

export const TEA = firstBlock('yaml');
export const PEOPLE = firstBlock('csv');
