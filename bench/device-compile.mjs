#!/usr/bin/env node
/**
 * node bench/device-compile.mjs [80 90 120]: compiles the CUDA kernels for each architecture, without a GPU and without
 * building llama.cpp, and prints a line of JSON for each kernel: registers, shared memory, spilled bytes. For CI and for
 * machines that have a compiler and no card.
 *
 * nvcc: the variable NVCC, else on PATH, else /usr/local/cuda/bin. From a Python registry it comes with
 *   pip install nvidia-cuda-nvcc nvidia-cuda-crt nvidia-nvvm nvidia-cuda-runtime nvidia-cuda-cccl
 * as nvidia/cu13/bin/nvcc. Where there is none this says so and ends with 0; a kernel that does not compile ends with 1.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const native = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', 'native');
const FILES = ['rows', 'pairs', 'cuda'];

function findNvcc() {
  const tries = [process.env.NVCC, 'nvcc', '/usr/local/cuda/bin/nvcc'].filter(Boolean);
  return tries.find((one) => spawnSync(one, ['--version']).status === 0) ?? null;
}

/** What ptxas tells of each kernel of a file. */
function resources(text) {
  const found = [];
  let name = null;
  let spilled = 0;
  for (const line of text.split('\n')) {
    const entry = line.match(/Compiling entry function '(\w+)'/);
    if (entry) name = /row_kernel|pair_kernel|larger_kernel/.exec(entry[1])?.[0] ?? entry[1];
    spilled = Number(line.match(/(\d+) bytes spill stores/)?.[1] ?? spilled);
    const used = line.match(/Used (\d+) registers(?:.*?(\d+) bytes smem)?/);
    if (used)
      found.push({ kernel: name, registers: Number(used[1]), sharedBytes: Number(used[2] ?? 0), spilled });
  }
  return found;
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
  const architectures = asked.length > 0 ? asked : ['80', '90', '120'];
  const known = spawnSync(nvcc, ['--list-gpu-arch'], { encoding: 'utf8' }).stdout.match(/\d+/g) ?? [];
  const folder = mkdtempSync(path.join(os.tmpdir(), 'logit-audit-nvcc-'));
  let failed = false;
  try {
    for (const architecture of architectures) {
      if (!known.includes(architecture)) {
        console.error(`SKIPPED: ${nvcc} does not know sm_${architecture}; it knows ${known.join(', ')}`);
        continue;
      }
      for (const file of FILES) {
        const code = `arch=compute_${architecture},code=sm_${architecture}`;
        const args = [
          '-std=c++17',
          '-I',
          native,
          '-I',
          ggml,
          '-gencode',
          code,
          '-Xptxas',
          '-v',
          '-Werror',
          'all-warnings',
        ];
        const out = path.join(folder, `${file}.o`);
        const result = spawnSync(
          nvcc,
          [...args, '-c', path.join(native, 'metrics', 'cuda', `${file}.cu`), '-o', out],
          {
            encoding: 'utf8',
          },
        );
        if (result.status !== 0) {
          failed = true;
          console.error(
            `${file}.cu does not compile for sm_${architecture}:\n${result.stdout}${result.stderr}`,
          );
          continue;
        }
        const kernels = resources(result.stdout + result.stderr);
        if (kernels.length === 0) kernels.push({ kernel: null });
        for (const kernel of kernels) {
          console.log(
            JSON.stringify({ bench: 'device.compile', architecture: `sm_${architecture}`, file, ...kernel }),
          );
        }
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return failed ? 1 : 0;
}

process.exit(main());
