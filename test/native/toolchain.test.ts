/** What each kind of build needs, and what is said where it is missing: with compilers and headers made up for it. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../temporary.ts';

const TOOLCHAIN = pathToFileURL(join(import.meta.dirname, '../../native/toolchain.mjs')).href;

/** What is chosen under these variables, or the message of the error. */
function choose(variables: Readonly<Record<string, string>>): unknown {
  const code = `
    import { chooseDevice } from ${JSON.stringify(TOOLCHAIN)};
    let told;
    try { told = chooseDevice(); } catch (error) { told = error.constructor.name + ': ' + error.message; }
    process.stdout.write(JSON.stringify(told));`;
  const { NVCC: _nvcc, VULKAN_SDK: _sdk, LOGIT_AUDIT_CUDA_ARCHITECTURES: _cards, ...env } = process.env;
  const args = ['--input-type=module', '-e', code];
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    env: { ...env, ...variables },
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

function write(file: string, text: string, mode = 0o644): string {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { mode });
  return file;
}

const tool = (file: string) => write(file, '#!/bin/sh\necho a tool\n', 0o755);

/** An SDK of Vulkan with headers of some revision, which come before those of the machine. */
function vulkanSdk(more: string): { sdk: string; glslc: string } {
  const sdk = temporaryFolder();
  write(join(sdk, 'include/vulkan/vulkan_core.h'), `#define VK_HEADER_VERSION 111\n${more}`);
  write(join(sdk, 'include/vulkan/vulkan.hpp'), '');
  write(join(sdk, 'include/spirv/unified1/spirv.hpp'), '');
  return { sdk, glslc: tool(join(sdk, 'bin/glslc')) };
}

describe.skipIf(process.platform !== 'linux')('what can be built for', () => {
  it('is one of a list', () => {
    expect(choose({ LOGIT_AUDIT_DEVICE: 'gpu' })).toBe(
      'BuildError: LOGIT_AUDIT_DEVICE is "gpu"; use auto, cpu, cuda, metal, vulkan.',
    );
    expect(choose({ LOGIT_AUDIT_DEVICE: 'metal' })).toContain('on macOS only');
    expect(choose({ LOGIT_AUDIT_DEVICE: 'cpu' })).toEqual({ device: 'cpu', cmake: {} });
  });

  it('CUDA: by the compiler that NVCC names, which alone is no wish for such a build', () => {
    const NVCC = tool(join(temporaryFolder(), 'nvcc'));
    const asked = { LOGIT_AUDIT_DEVICE: 'cuda', NVCC };
    expect(choose(asked)).toEqual({ device: 'cuda', cmake: { CMAKE_CUDA_COMPILER: NVCC } });
    expect(choose({ ...asked, LOGIT_AUDIT_CUDA_ARCHITECTURES: '80;90' })).toMatchObject({
      cmake: { CMAKE_CUDA_ARCHITECTURES: '80;90' },
    });
    expect(choose({ ...asked, NVCC: `${NVCC}-gone` })).toContain('nvcc was not found');
    const bare = { LOGIT_AUDIT_DEVICE: 'auto', PATH: temporaryFolder() };
    const toolkit = existsSync('/usr/local/cuda/bin/nvcc');
    expect(choose({ ...bare, NVCC })).toMatchObject({ device: toolkit ? 'cuda' : 'cpu' });
    expect(choose({ ...bare, PATH: dirname(NVCC) })).toMatchObject({ device: 'cuda' });
  });

  it('Vulkan: with glslc and headers that are new enough', () => {
    const old = vulkanSdk('');
    const told = choose({ LOGIT_AUDIT_DEVICE: 'vulkan', VULKAN_SDK: old.sdk });
    expect(told).toContain('those found are revision 111');
    expect(told).not.toContain('glslc, the shader compiler');
    const { sdk, glslc } = vulkanSdk(
      '#define VK_EXT_layer_settings 1\n#define VK_NV_cooperative_matrix2 1\n',
    );
    expect(choose({ LOGIT_AUDIT_DEVICE: 'vulkan', VULKAN_SDK: sdk })).toEqual({
      device: 'vulkan',
      cmake: { Vulkan_GLSLC_EXECUTABLE: glslc, CMAKE_PREFIX_PATH: sdk },
    });
  });
});
