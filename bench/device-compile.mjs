#!/usr/bin/env node
/**
 * node bench/device-compile.mjs [80 90 120]: compiles the CUDA kernels for each architecture, without a GPU and without
 * building llama.cpp, and prints a line of JSON for each kernel: registers, shared memory, spilled bytes. For CI and for
 * machines that have a compiler and no card.
 *
 * nvcc: the variable NVCC, else on PATH, else /usr/local/cuda/bin. From a Python registry it comes with
 *   pip install nvidia-cuda-nvcc nvidia-cuda-crt nvidia-nvvm nvidia-cuda-runtime nvidia-cuda-cccl
 * as nvidia/cu13/bin/nvcc (.ci/nvcc does that). Where there is none this says so and ends with 0; a kernel that does not compile ends with 1.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { findNvcc } from '../native/toolchain.mjs';

const native = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', 'native');
/** The files that hold kernels, and the one that only calls them: that is compiled once. */
const KERNELS = ['rows', 'pairs'];
const HOST = 'cuda';

/** What ptxas tells of each kernel of a file, for each architecture. */
function resources(text) {
  const found = [];
  let entry = null;
  let spilled = 0;
  for (const line of text.split('\n')) {
    const named = line.match(/Compiling entry function '(\w+)' for '(\w+)'/);
    if (named) {
      const kernel = /row_kernel|pair_kernel|larger_kernel/.exec(named[1])?.[0] ?? named[1];
      entry = { architecture: named[2], kernel };
    }
    spilled = Number(line.match(/(\d+) bytes spill stores/)?.[1] ?? spilled);
    const used = line.match(/Used (\d+) registers(?:.*?(\d+) bytes smem)?/);
    if (used)
      found.push({ ...entry, registers: Number(used[1]), sharedBytes: Number(used[2] ?? 0), spilled });
  }
  return found;
}

/** Compiles one file for all of the architectures in one call; what ptxas told, or null where it failed. */
function compile(nvcc, ggml, file, architectures) {
  const codes = architectures.flatMap((one) => ['-gencode', `arch=compute_${one},code=sm_${one}`]);
  const strict = ['-Xptxas', '-v', '-Werror', 'all-warnings'];
  const source = path.join(native, 'metrics', 'cuda', `${file}.cu`);
  const args = ['-std=c++17', '-I', native, '-I', ggml, ...codes, ...strict, '-c', source, '-o', os.devNull];
  const { status, stdout, stderr } = spawnSync(nvcc, args, { encoding: 'utf8' });
  if (status === 0) return stdout + stderr;
  console.error(`${file}.cu does not compile for sm_${architectures.join(', sm_')}:\n${stdout}${stderr}`);
  return null;
}

function main() {
  const nvcc = findNvcc();
  const ggml = path.join(native, 'vendor', 'llama.cpp', 'ggml', 'include');
  if (nvcc === null || !existsSync(ggml)) {
    const why = nvcc === null ? 'there is no nvcc (set NVCC)' : 'llama.cpp is not laid out (npm run build)';
    console.error(`SKIPPED: the CUDA kernels were not compiled: ${why}`);
    return 0;
  }
  const asked = process.argv.slice(2);
  const wanted = asked.length > 0 ? asked : ['80', '90', '120'];
  const known = spawnSync(nvcc, ['--list-gpu-arch'], { encoding: 'utf8' }).stdout.match(/\d+/g) ?? [];
  const architectures = wanted.filter((one) => known.includes(one));
  for (const one of wanted.filter((other) => !known.includes(other))) {
    console.error(`SKIPPED: ${nvcc} does not know sm_${one}; it knows ${known.join(', ')}`);
  }
  if (architectures.length === 0) return 0;
  const print = (line) => console.log(JSON.stringify({ bench: 'device.compile', ...line }));
  let failed = false;
  for (const file of KERNELS) {
    const told = compile(nvcc, ggml, file, architectures);
    failed ||= told === null;
    for (const kernel of resources(told ?? '')) print({ file, ...kernel });
  }
  // Its host code is the same for every architecture.
  failed ||= compile(nvcc, ggml, HOST, architectures.slice(0, 1)) === null;
  return failed ? 1 : 0;
}

process.exit(main());
