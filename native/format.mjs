/** clang-format over our own C++: `node native/format.mjs` checks, `--write` formats. */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const native = path.dirname(fileURLToPath(import.meta.url));
const files = ['addon', 'amx', 'bench', 'engine', 'metrics', 'test'].flatMap((room) =>
  readdirSync(path.join(native, room), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(h|cpp|cu|cuh|mm)$/.test(file))
    .map((file) => path.join(native, room, file)),
);
const mode = process.argv.includes('--write') ? ['-i'] : ['--dry-run', '--Werror'];
const clangFormat = path.join(native, '..', 'node_modules', 'clang-format', 'index.js');
const { status } = spawnSync(process.execPath, [clangFormat, '--style=file', ...mode, ...files], {
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
