#!/usr/bin/env node
/**
 * The one build of the native core: `npm install`, `node-gyp rebuild` (through binding.gyp) and CI all run this.
 *
 *   node native/build.mjs            both addons, into build/
 *   node native/build.mjs --tests    also the C++ tests, build/engine/native_tests
 *   node native/build.mjs --strict   warnings of our own C++ are errors
 *
 * Steps: check the tools; ask cargo where llama.cpp's source lies and lay it out as native/vendor/llama.cpp;
 * build the Rust crates (metrics.node by @napi-rs/cli, and the static library that the engine links);
 * build the engine by CMake through cmake-js. Nothing is fetched but what Cargo.lock and package-lock.json pin.
 *
 * Environment: LOGIT_AUDIT_DEVICE=auto|cpu|cuda|metal|vulkan (toolchain.mjs), LOGIT_AUDIT_JOBS=N,
 * LOGIT_AUDIT_CUDA_ARCHITECTURES="80;90;120" (default: those of the cards that are here).
 */
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { MEND, probeTileConfig } from './amx/probe.mjs';
import { BuildError, CXX, chooseDevice, version } from './toolchain.mjs';

const require = createRequire(import.meta.url);
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const buildDir = path.join(root, 'build');
const vendorDir = path.join(root, 'native', 'vendor', 'llama.cpp');

/** The parts of llama.cpp's tree that its library target needs (and its JSON header, for the C++ tests). */
const LLAMA_PARTS = ['CMakeLists.txt', 'LICENSE', 'cmake', 'ggml', 'include', 'src', 'vendor'];

const started = Date.now();
const say = (text) => console.log(`[logit-audit build] ${text}`);

function run(command, args, { cwd = root, quiet = false } = {}) {
  const result = spawnSync(command, args, {
    cwd,
    stdio: quiet ? ['ignore', 'pipe', 'inherit'] : ['ignore', 'inherit', 'inherit'],
    maxBuffer: 1 << 28,
    encoding: 'utf8',
  });
  if (result.error) throw new BuildError(`${command} could not be started: ${result.error.message}`);
  if (result.status !== 0) {
    throw new BuildError(
      `"${command} ${args.join(' ')}" failed with exit code ${result.status}; its output is above.`,
    );
  }
  return result.stdout ?? '';
}

function checkTools() {
  const tools = [
    {
      name: 'cargo (Rust 1.89 or later)',
      found: version('cargo'),
      fix: 'install Rust from https://rustup.rs or your package manager',
    },
    {
      name: 'cmake (3.18 or later)',
      found: version('cmake'),
      fix: 'install CMake, e.g. "apt install cmake" or "brew install cmake"',
    },
  ];
  // On Windows cmake-js finds Visual Studio by itself.
  if (process.platform !== 'win32') {
    tools.push({
      name: `a C++ compiler (${CXX.join(', ')})`,
      found: CXX.map((command) => version(command)).find(Boolean),
      fix: 'install one, e.g. "apt install build-essential" or "xcode-select --install", or name it in CXX',
    });
  }
  const missing = tools.filter((tool) => !tool.found);
  if (missing.length > 0) {
    const lines = missing.map((tool) => `  - ${tool.name}: not found; ${tool.fix}`);
    throw new BuildError(
      `the native core cannot be built, tools are missing:\n${lines.join('\n')}\nThen run "npm run build" again.`,
    );
  }
  for (const tool of tools) say(`found ${tool.found}`);
}

/** Lays llama.cpp's source out as native/vendor/llama.cpp, from the crate that Cargo.lock pins. */
function layOutLlama() {
  const metadata = JSON.parse(
    run('cargo', ['metadata', '--locked', '--format-version', '1'], { quiet: true }),
  );
  const crate = metadata.packages.find((entry) => entry.name === 'llama-cpp-sys-2');
  if (!crate)
    throw new BuildError(
      'Cargo.lock does not pin llama-cpp-sys-2; crates/llama-source/Cargo.toml must name it.',
    );
  const source = path.join(path.dirname(crate.manifest_path), 'llama.cpp');
  const stampFile = path.join(vendorDir, '.stamp.json');
  const cmakeLists = readFileSync(path.join(source, 'CMakeLists.txt'), 'utf8');
  const part = (name) => cmakeLists.match(new RegExp(`set\\(LLAMA_VERSION_${name} (\\d+)\\)`))?.[1] ?? '?';
  const stamp = {
    crate: `${crate.name} ${crate.version}`,
    llamaVersion: `${part('MAJOR')}.${part('MINOR')}.${part('PATCH')}`,
    parts: LLAMA_PARTS,
  };
  const text = `${JSON.stringify(stamp, null, 2)}\n`;
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === text) {
    say(`llama.cpp ${stamp.llamaVersion} is laid out`);
    return stamp;
  }
  say(`laying out llama.cpp ${stamp.llamaVersion} from ${stamp.crate}`);
  rmSync(vendorDir, { recursive: true, force: true });
  mkdirSync(vendorDir, { recursive: true });
  for (const name of LLAMA_PARTS) {
    // Timestamps are kept, so that a tree that is laid out anew does not compile anew.
    cpSync(path.join(source, name), path.join(vendorDir, name), {
      recursive: true,
      preserveTimestamps: true,
    });
  }
  writeFileSync(stampFile, text);
  return stamp;
}

/** metrics.node and its generated types by @napi-rs/cli, and the static library that the engine links. */
function buildRust() {
  say('building the Rust crates');
  const napi = path.join(path.dirname(require.resolve('@napi-rs/cli/package.json')), 'dist', 'cli.js');
  const generated = path.join(root, 'src', 'native', 'generated');
  const out = path.join(buildDir, 'metrics');
  mkdirSync(out, { recursive: true });
  mkdirSync(generated, { recursive: true });
  run(process.execPath, [
    napi,
    'build',
    '--release',
    '--manifest-path',
    path.join('crates', 'metrics-node', 'Cargo.toml'),
    '--package-json-path',
    'package.json',
    '--output-dir',
    out,
    '--no-js',
    '--dts',
    'metrics.d.ts',
    '--',
    '--locked',
  ]);
  const stamp = '// Generated from crates/metrics-node by native/build.mjs: change it there, then build.\n';
  const types = stamp + readFileSync(path.join(out, 'metrics.d.ts'), 'utf8');
  const file = path.join(generated, 'metrics.ts');
  if (!existsSync(file) || readFileSync(file, 'utf8') !== types) writeFileSync(file, types);
  run('cargo', ['build', '--release', '--locked', '-p', 'metrics-ffi']);
}

async function buildEngine({ device, cmake, llama, tests, strict }) {
  say(`building llama.cpp and the engine for ${device} (the first time takes minutes)`);
  const { CMake } = require('cmake-js');
  const jobs = process.env.LOGIT_AUDIT_JOBS ?? String(os.availableParallelism());
  const targetDir = process.env.CARGO_TARGET_DIR
    ? path.resolve(process.env.CARGO_TARGET_DIR)
    : path.join(root, 'target');
  const options = {
    directory: path.join(root, 'native'),
    out: path.join(buildDir, 'engine'),
    config: 'Release',
    // Node-API headers come from node_modules: without this cmake-js would download Node's own.
    isNodeApi: true,
    parallel: jobs,
    cMakeOptions: {
      LOGIT_AUDIT_DEVICE: device,
      LOGIT_AUDIT_STRICT: strict ? 'ON' : 'OFF',
      LOGIT_AUDIT_RUST_LIB_DIR: path.join(targetDir, 'release'),
      LOGIT_AUDIT_LLAMA_VERSION: llama.llamaVersion,
      LOGIT_AUDIT_LLAMA_CRATE: llama.crate.replace(' ', '-'),
      ...cmake,
    },
  };
  await new CMake(options).configure();
  checkTileConfig();
  await new CMake({ ...options, target: 'engine' }).build();
  if (tests) await new CMake({ ...options, target: 'native_tests' }).build();
}

/**
 * Whether the compiler that CMake chose hands AMX its whole configuration; a build without it computes nothing or
 * nonsense on processors with AMX. Asked on every machine, since the one that builds need not have AMX.
 */
function checkTileConfig() {
  const cache = readFileSync(path.join(buildDir, 'engine', 'CMakeCache.txt'), 'utf8');
  const compiler = cache.match(/^CMAKE_CXX_COMPILER:[^=]*=(.*)$/m)?.[1];
  if (!compiler) throw new BuildError('CMake chose no C++ compiler; see its output above.');
  const asBuilt = probeTileConfig(compiler, MEND);
  if (asBuilt.found === 'wrong') {
    throw new BuildError(
      `${compiler} drops bytes of the AMX tile configuration despite ${path.basename(MEND[1])}; models would crash on processors with AMX. Name another compiler in CC and CXX (gcc 13, clang) and build again.`,
    );
  }
  if (asBuilt.found === 'unknown') say(`AMX was not probed: ${asBuilt.reason}`);
  else if (probeTileConfig(compiler).found === 'wrong') {
    say(`${compiler} drops bytes of the AMX tile configuration; ${path.basename(MEND[1])} mends it`);
  }
}

/** Puts a finished addon in its place in one step: a running process may have the old one mapped. */
function install(from, name) {
  const to = path.join(buildDir, name);
  if (!existsSync(from)) throw new BuildError(`the build made no ${path.relative(root, from)}`);
  if (existsSync(to) && readFileSync(to).equals(readFileSync(from))) return;
  const next = `${to}.next`;
  copyFileSync(from, next);
  renameSync(next, to);
}

async function main() {
  const tests = process.argv.includes('--tests');
  const strict = process.argv.includes('--strict');
  checkTools();
  const { device, cmake } = chooseDevice();
  mkdirSync(buildDir, { recursive: true });
  const llama = layOutLlama();
  buildRust();
  await buildEngine({ device, cmake, llama, tests, strict });
  install(path.join(buildDir, 'metrics', 'metrics.node'), 'metrics.node');
  install(path.join(buildDir, 'engine', 'Release', 'engine.node'), 'engine.node');
  const info = {
    device,
    llama: { version: llama.llamaVersion, crate: llama.crate },
    node: process.version,
    platform: process.platform,
    arch: process.arch,
  };
  writeFileSync(path.join(buildDir, 'build-info.json'), `${JSON.stringify(info, null, 2)}\n`);
  say(
    `done in ${((Date.now() - started) / 1000).toFixed(0)} s: build/metrics.node, build/engine.node (${device})`,
  );
}

main().catch((error) => {
  console.error(`[logit-audit build] ${error instanceof BuildError ? error.message : error.stack}`);
  process.exit(1);
});
