/**
 * Does a compiler keep all bytes of an AMX tile configuration? Asked on any x86-64 Linux machine, with AMX or without:
 * probe.cpp is compiled to assembly with the flags of the build, an assembler macro turns LDTILECFG into a copy of
 * its operand, and the program that comes of it says which bytes arrived.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const folder = path.dirname(fileURLToPath(import.meta.url));

/** Registers are kept in memory: a push would write into the red zone below the stack. */
const RECORD_CONFIG = `
.local logit_audit_kept
.comm logit_audit_kept,16,16
.macro ldtilecfg operand:vararg
  movq %rax, logit_audit_kept(%rip)
  movq %rcx, logit_audit_kept+8(%rip)
  leaq \\operand, %rax
${[0, 8, 16, 24, 32, 40, 48, 56]
  .map(
    (at) => `  movq ${at}(%rax), %rcx
  movq %rcx, logit_audit_recorded_config+${at}(%rip)`,
  )
  .join('\n')}
  movq logit_audit_kept+8(%rip), %rcx
  movq logit_audit_kept(%rip), %rax
.endm
`;

/** The include that mends llama.cpp's AMX kernels, as compiler flags. */
export const MEND = ['-include', path.join(folder, 'whole_tile_config.h')];

/**
 * `right`: all 64 bytes reach the instruction; `wrong`: some are lost; `unknown` with a reason: the compiler has no
 * AMX, or this is no x86-64 Linux.
 */
export function probeTileConfig(compiler, flags = []) {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    return { found: 'unknown', reason: 'AMX is used by x86-64 Linux alone' };
  }
  const scratch = mkdtempSync(path.join(os.tmpdir(), 'logit-audit-amx-'));
  const run = (command, args) => spawnSync(command, args, { cwd: scratch, encoding: 'utf8' });
  try {
    const source = path.join(folder, 'probe.cpp');
    const compiled = run(compiler, [
      ...['-std=c++17', '-O3', '-DNDEBUG', '-fPIC', '-mamx-tile'],
      ...flags,
      ...['-S', source, '-o', 'probe.s'],
    ]);
    if (compiled.status !== 0) return { found: 'unknown', reason: `${compiler} does not compile AMX` };
    const assembly = readFileSync(path.join(scratch, 'probe.s'), 'utf8');
    writeFileSync(path.join(scratch, 'recorded.s'), RECORD_CONFIG + assembly);
    const linked = run(compiler, ['recorded.s', '-o', 'probe']);
    if (linked.status !== 0) return { found: 'unknown', reason: `the probe did not link: ${linked.stderr}` };
    const { status, stdout } = run(path.join(scratch, 'probe'), []);
    if (status !== 0 && status !== 1) return { found: 'unknown', reason: 'the probe did not run' };
    return { found: status === 0 ? 'right' : 'wrong', bytes: stdout.trim() };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
