/** The check of imports in Rust and C++: it passes the repository, and sees each kind of violation. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../temporary.ts';

const SCRIPT = path.resolve(import.meta.dirname, '../../.ci/circles.mjs');

/** The faults that the check finds in files of these texts, but for permissions that so few files leave unused. */
function faultsOf(texts: Readonly<Record<string, string>>): readonly string[] {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(texts)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  const { status, stderr } = spawnSync(process.execPath, [SCRIPT, folder], { encoding: 'utf8', cwd: folder });
  const lines = stderr.split('\n').filter((line) => line !== '' && !line.includes('no include uses'));
  if (lines.length > 0) expect(status).toBe(1);
  return lines;
}

it('the repository holds its laws', () => {
  const { status, stderr } = spawnSync(process.execPath, [SCRIPT], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

describe('files of a crate', () => {
  const crate = (files: Readonly<Record<string, string>>) =>
    faultsOf(Object.fromEntries(Object.entries(files).map(([name, text]) => [`crates/c/src/${name}`, text])));
  const lib = 'mod a;\nmod b;\n';
  const circle = ['error: crates/c/src: a circle, a.rs -> b.rs -> a.rs'];

  it('a circle is seen through use, trees, plain paths and re-exports', () => {
    const b = 'pub struct B;\nuse crate::a::A;';
    expect(crate({ 'lib.rs': lib, 'a.rs': 'use crate::b::B;', 'b.rs': b })).toEqual(circle);
    expect(
      crate({ 'lib.rs': lib, 'a.rs': 'use super::{\n  x::{Y, Z},\n  b::{self, B as C},\n};', 'b.rs': b }),
    ).toEqual(circle);
    expect(crate({ 'lib.rs': lib, 'a.rs': 'fn f() -> crate::b::B { todo!() }', 'b.rs': b })).toEqual(circle);
    expect(crate({ 'lib.rs': `${lib}pub use b::B as C;`, 'a.rs': 'use crate::C;', 'b.rs': b })).toEqual(
      circle,
    );
  });

  it('a module whose children use its own types is one, and one that only names its children is none', () => {
    const child = 'use super::T;';
    expect(
      crate({
        'lib.rs': 'mod m;',
        'm/mod.rs': 'pub struct T;\nmod child;\npub use child::f;',
        'm/child.rs': child,
      }),
    ).toEqual(['error: crates/c/src: a circle, m/child.rs -> m/mod.rs -> m/child.rs']);
    const files = {
      'm/mod.rs': 'mod t;\nmod child;\npub use child::f;\npub use t::T;',
      'm/t.rs': 'pub struct T;',
    };
    expect(crate({ 'lib.rs': 'mod m;', ...files, 'm/child.rs': child })).toEqual([]);
  });

  it('tests, comments and texts make none', () => {
    const b =
      '// use crate::a::A;\nconst T: &str = "crate::a::A";\n#[cfg(test)]\nmod tests {\n    use crate::a::A;\n}\n';
    expect(crate({ 'lib.rs': lib, 'a.rs': 'use crate::b::T;', 'b.rs': b })).toEqual([]);
  });
});

describe('files of native/', () => {
  it('engine and metrics form no circle, and a folder without rules is a fault', () => {
    expect(faultsOf({ 'native/engine/e.h': '', 'native/metrics/m.h': '#include "engine/e.h"\n' })).toEqual([
      'error: native/metrics/m.h: metrics may not include engine (engine/e.h)',
    ]);
    expect(faultsOf({ 'native/new/n.h': '' })).toEqual([
      'error: native/new/n.h: its folder has no line in ROOMS',
    ]);
  });

  it('a circle of units is seen, also through a source', () => {
    const files = { 'native/engine/a.h': '', 'native/engine/b.h': '#include "engine/a.h"\n' };
    expect(faultsOf({ ...files, 'native/engine/a.cpp': '#  include "engine/b.h"\n' })).toEqual([
      'error: native: a circle, engine/a -> engine/b -> engine/a',
    ]);
  });

  it('llama.cpp, Node and what is found nowhere are refused where they are not permitted', () => {
    expect(faultsOf({ 'native/metrics/m.cpp': '#include "llama.h"\n' })).toEqual([
      'error: native/metrics/m.cpp: metrics may not include llama (llama.h)',
    ]);
    expect(faultsOf({ 'native/engine/e.cpp': '#include <napi.h>\n#include "e.h"\n' })).toEqual([
      'error: native/engine/e.cpp: engine may not include napi (napi.h)',
      'error: native/engine/e.cpp: "e.h" is found nowhere',
    ]);
  });

  it('a permission that nothing uses is a fault', () => {
    const folder = temporaryFolder();
    mkdirSync(path.join(folder, 'native/metrics'), { recursive: true });
    writeFileSync(path.join(folder, 'native/metrics/m.h'), '#include "ggml.h"\n');
    const { status, stderr } = spawnSync(process.execPath, [SCRIPT, folder], { encoding: 'utf8' });
    expect(status).toBe(1);
    expect(stderr).toContain('error: native: no include uses the permission metrics -> rust\n');
    expect(stderr).not.toContain('metrics -> ggml');
  });
});
