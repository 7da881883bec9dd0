#!/usr/bin/env node
/**
 * Installs what engine.vsLoop is also measured against into a folder of your choice, through npm:
 *
 *   node bench/peers.mjs FOLDER
 *   LOGIT_AUDIT_BENCH_PEERS=FOLDER npm run bench -- engine vsLoop
 *
 * node-llama-cpp with its prebuilt CPU binary for this machine: no scripts of packages are run, and its packages for GPUs,
 * hundreds of megabytes, are left out. No dependency of this package: nothing but the benchmark ever looks there.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

const VERSION = '3.22.1';
const SYSTEMS = { linux: 'linux', darwin: 'mac', win32: 'win' };

const [folder] = process.argv.slice(2);
if (folder === undefined || folder.startsWith('-')) {
  console.error('usage: node bench/peers.mjs FOLDER');
  process.exit(2);
}
const system = SYSTEMS[process.platform];
const binary =
  process.platform === 'darwin' && process.arch === 'arm64' ? 'mac-arm64-metal' : `${system}-${process.arch}`;
const packages = ['node-llama-cpp', `@node-llama-cpp/${binary}`].map((name) => `${name}@${VERSION}`);

const place = path.resolve(folder);
mkdirSync(place, { recursive: true });
// Without one, npm would install into the nearest package above.
writeFileSync(path.join(place, 'package.json'), '{ "private": true }\n');
const options = ['--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund'];
const { status, error } = spawnSync('npm', ['install', ...options, ...packages], {
  cwd: place,
  stdio: 'inherit',
  shell: process.platform === 'win32',
});
if (error) console.error(`npm could not be started: ${error.message}`);
process.exitCode = status ?? 1;
