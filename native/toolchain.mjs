/**
 * Which accelerators can be built for here: finds the compilers and headers that each needs and says what is missing.
 * Nothing is installed and nothing is fetched.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

/** A fault of the machine or of the options, reported without a stack. */
export class BuildError extends Error {}

/** First line of `command --version`, or null where the command is missing. */
export function version(command, args = ['--version']) {
  const result = spawnSync(command, args, { encoding: 'utf8' });
  return result.status === 0 ? result.stdout.split('\n')[0].trim() : null;
}

/** Commands that may be the C++ compiler, the one that is named first. */
export const CXX = process.env.CXX ? [process.env.CXX] : ['c++', 'g++', 'clang++'];

/** Where a command on PATH lies. */
function onPath(command) {
  const names = process.platform === 'win32' ? [`${command}.exe`, command] : [command];
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter(Boolean);
  const files = folders.flatMap((folder) => names.map((name) => path.join(folder, name)));
  return files.find((file) => existsSync(file)) ?? null;
}

/** nvcc of an installed toolkit: on PATH, else where the toolkit puts itself; null if missing. */
function installedNvcc() {
  const tries = [onPath('nvcc'), '/usr/local/cuda/bin/nvcc'].filter(Boolean);
  return tries.find((file) => version(file) !== null) ?? null;
}

/** nvcc's file: the one that the variable NVCC names, else of an installed toolkit; null if missing. */
export function findNvcc() {
  const named = process.env.NVCC;
  if (!named) return installedNvcc();
  return version(named) === null ? null : (onPath(named) ?? named);
}

/** CMake options for CUDA. Throws BuildError without nvcc. */
function cudaOptions() {
  const nvcc = findNvcc();
  if (nvcc === null) {
    throw new BuildError(
      'LOGIT_AUDIT_DEVICE=cuda, but nvcc was not found: install the CUDA toolkit and put its bin folder on PATH or name nvcc in NVCC, or use LOGIT_AUDIT_DEVICE=cpu.',
    );
  }
  const architectures = process.env.LOGIT_AUDIT_CUDA_ARCHITECTURES;
  return {
    CMAKE_CUDA_COMPILER: path.resolve(nvcc),
    ...(architectures ? { CMAKE_CUDA_ARCHITECTURES: architectures } : {}),
  };
}

/** Asks the preprocessor what headers there are: `key value` lines. ggml-vulkan uses what the macro stands for. */
const VULKAN_PROBE = `
#if __has_include(<vulkan/vulkan.hpp>)
#include <vulkan/vulkan_core.h>
probe_version VK_HEADER_VERSION
#if defined(VK_EXT_layer_settings) && defined(VK_NV_cooperative_matrix2)
probe_new yes
#endif
#endif
#if __has_include(<spirv/unified1/spirv.hpp>)
probe_spirv yes
#endif
`;

function probeVulkanHeaders() {
  const sdk = process.env.VULKAN_SDK;
  const args = [
    '-std=c++17',
    '-E',
    '-P',
    '-x',
    'c++',
    ...(sdk ? ['-I', path.join(sdk, 'include')] : []),
    '-',
  ];
  const compiler = CXX.find((command) => version(command) !== null);
  const { stdout } = spawnSync(compiler, args, { input: VULKAN_PROBE, encoding: 'utf8', maxBuffer: 1 << 28 });
  const found = (key) => new RegExp(`^probe_${key} (\\w+)`, 'm').exec(stdout ?? '')?.[1] ?? null;
  return { version: found('version'), isNew: found('new') !== null, spirv: found('spirv') !== null };
}

/** CMake options for Vulkan. Throws BuildError that lists all that is missing. */
function vulkanOptions() {
  const sdk = process.env.VULKAN_SDK;
  const glslc = (sdk && [path.join(sdk, 'bin', 'glslc')].find((file) => existsSync(file))) || onPath('glslc');
  const missing = [];
  if (!glslc) missing.push('glslc, the shader compiler: install it, e.g. "apt install glslc"');
  // On Windows CMake finds the SDK by itself, and its headers come together.
  if (process.platform !== 'win32') {
    const headers = probeVulkanHeaders();
    if (headers.version === null) {
      missing.push('the Vulkan headers (vulkan/vulkan.hpp): install them, e.g. "apt install libvulkan-dev"');
    } else if (!headers.isNew) {
      missing.push(
        `newer Vulkan headers: those found are revision ${headers.version}, and llama.cpp uses VK_EXT_layer_settings and VK_NV_cooperative_matrix2 (1.4.309 has them)`,
      );
    }
    if (!headers.spirv) missing.push('the SPIR-V headers: install them, e.g. "apt install spirv-headers"');
  }
  if (missing.length > 0) {
    throw new BuildError(
      `LOGIT_AUDIT_DEVICE=vulkan cannot be built, these are missing:\n${missing.map((one) => `  - ${one}`).join('\n')}\n` +
        'A Vulkan SDK elsewhere is named by VULKAN_SDK (its include, lib, bin and share). Or use LOGIT_AUDIT_DEVICE=cpu.',
    );
  }
  return {
    Vulkan_GLSLC_EXECUTABLE: realpathSync(glslc),
    ...(sdk ? { CMAKE_PREFIX_PATH: path.resolve(sdk) } : {}),
  };
}

/** The kinds of builds, and their CMake options. */
const DEVICES = { cpu: () => ({}), cuda: cudaOptions, metal: () => ({}), vulkan: vulkanOptions };

/**
 * Which accelerator to build for, asked by LOGIT_AUDIT_DEVICE or the one that is there, and CMake's options for it.
 * Vulkan is built where it is asked for: what it needs for building tells nothing of a card.
 */
export function chooseDevice() {
  const asked = process.env.LOGIT_AUDIT_DEVICE || 'auto';
  const apple = process.platform === 'darwin';
  if (asked !== 'auto' && !Object.hasOwn(DEVICES, asked)) {
    throw new BuildError(`LOGIT_AUDIT_DEVICE is "${asked}"; use auto, ${Object.keys(DEVICES).join(', ')}.`);
  }
  if (asked === 'metal' && !apple) {
    throw new BuildError('LOGIT_AUDIT_DEVICE=metal works on macOS only; use auto, cpu, cuda or vulkan here.');
  }
  // NVCC may name a compiler that was put there to check the kernels alone: a build for CUDA by it is asked for.
  const found = apple ? 'metal' : installedNvcc() !== null ? 'cuda' : 'cpu';
  const device = asked === 'auto' ? found : asked;
  return { device, cmake: DEVICES[device]() };
}
