/** `logit-audit doctor`: what was built, what it runs on, and what is missing. */
import os from 'node:os';
import { type Command, Option } from 'commander';
import { toAuditError } from '../errors.ts';
import { engineSystem, readBuildInfo, readLlamaLicence, type SystemInfo } from '../model/index.ts';
import { aggregateSync } from '../numbers/index.ts';
import { formatBytes } from '../report/index.ts';
import { print } from '../report/terminal.ts';
import { packageVersion } from '../run/index.ts';
import { runSelfTest, type SelfTestResult } from '../self-test/index.ts';
import { EXIT, runAction } from '../shell/exit.ts';

/** What each implementation of the metrics on logits is. */
const METRICS: Readonly<Record<string, string>> = {
  cpu: 'Rust, in host memory',
  graph: 'ggml operations, in the memory of any device (--metrics-impl graph)',
  cuda: 'kernels, in the memory of CUDA devices (--metrics-impl cuda)',
  metal: 'kernels, in the memory of Metal devices (--metrics-impl metal)',
};

/** One addon: loaded and tried, or why not. */
type AddonState<T> =
  | { readonly ok: true; readonly details: T }
  | { readonly ok: false; readonly reason: string };

interface Report {
  readonly version: string;
  readonly node: string;
  readonly platform: string;
  readonly metrics: AddonState<null>;
  readonly engine: AddonState<SystemInfo>;
  readonly builtFor: string | null;
  readonly llamaLicence: string | null;
  readonly missing: readonly string[];
  /** A result for each device, mode and weight type; null where it was not asked for. */
  readonly selfTest: readonly SelfTestResult[] | null;
}

interface Flags {
  readonly json?: boolean;
  readonly selfTest?: boolean | 'short';
}

export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .summary('show what was built and what it runs on')
    .description('Loads both native addons and shows CPU features, devices, licences, and what is missing.')
    .option('--json', 'print the report as JSON')
    .addOption(
      new Option(
        '--self-test [form]',
        'decode a small model in each weight type (F32 to Q2_K, MXFP4) on the CPU and each device, and compare with float64; "short": a few types on the CPU',
      ).choices(['short']),
    )
    .addHelpText(
      'after',
      `
Examples:
  logit-audit doctor
  logit-audit doctor --self-test        is every weight type computed right here? half a minute
  logit-audit doctor --self-test short --json

Exit codes: 0 all is well, 1 an addon is missing or a weight type is computed wrongly, 3 disk full (--self-test).`,
    )
    .action((flags: Flags) => runAction({ json: flags.json === true }, (signal) => doctor(flags, signal)));
}

function state<T>(probe: () => T): AddonState<T> {
  try {
    return { ok: true, details: probe() };
  } catch (thrown) {
    return { ok: false, reason: toAuditError(thrown).message };
  }
}

/** What a build for an accelerator says where it finds none. */
const NOT_FOUND: Readonly<Record<string, string>> = {
  cuda: 'CUDA: built in, but no card or no driver for it was found; models run on the CPU',
  metal: 'Metal: built in, but no device was found; models run on the CPU',
  vulkan:
    'Vulkan: built in, but no graphics card was found; models run on the CPU (a driver that is software itself is taken only where GGML_VK_VISIBLE_DEVICES names its number)',
};

/** Accelerators that this machine may have and that are not used. */
function missingAccelerators(builtFor: string | null, devices: SystemInfo['devices']): string[] {
  if (builtFor !== 'cpu') {
    const found = devices.some(({ kind }) => kind === 'gpu' || kind === 'igpu');
    return builtFor === null || found ? [] : [NOT_FOUND[builtFor] ?? `${builtFor}: no device was found`];
  }
  return [
    process.platform === 'darwin'
      ? 'Metal: not built in; rebuild with LOGIT_AUDIT_DEVICE=metal npm run build'
      : 'CUDA: not built in; with the CUDA toolkit (nvcc) installed, rebuild with LOGIT_AUDIT_DEVICE=cuda npm run build; other cards: LOGIT_AUDIT_DEVICE=vulkan',
  ];
}

function examine(): Omit<Report, 'selfTest'> {
  // A mean that is known is a better sign of life than a load that succeeded.
  const metrics = state(() => {
    const { mean } = aggregateSync(Float64Array.of(1, 2, 3), {});
    if (mean !== 2) throw new Error(`the metrics addon says that the mean of 1, 2 and 3 is ${mean}`);
    return null;
  });
  const engine = state(engineSystem);
  const builtFor = engine.ok ? engine.details.builtFor : (readBuildInfo()?.device ?? null);
  return {
    version: packageVersion(),
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    metrics,
    engine,
    builtFor,
    llamaLicence: readLlamaLicence(),
    missing: missingAccelerators(builtFor, engine.ok ? engine.details.devices : []),
  };
}

async function doctor({ json, selfTest }: Flags, signal: AbortSignal): Promise<void> {
  const found = examine();
  const printLines = (lines: readonly string[]) => print(`${lines.join('\n')}\n`);
  if (!json) printLines(describe(found, selfTest !== undefined));
  const results =
    selfTest === undefined || !found.engine.ok
      ? null
      : await runSelfTest({
          short: selfTest === 'short',
          signal,
          onResult: (result) => {
            if (!json) printLines([`  ${describeResult(result)}`]);
          },
        });
  const report: Report = { ...found, selfTest: results };
  if (json) printLines([JSON.stringify(report, null, 2)]);
  else printLines([...(results ? [concludeTest(results)] : []), ...licenceLines(found.llamaLicence)]);
  const failed = !report.metrics.ok || !report.engine.ok || results?.some(({ ok }) => !ok);
  if (failed) process.exitCode = EXIT.failed;
}

function describeResult({ device, mode, type, difference, allowed, reason }: SelfTestResult): string {
  const tried = `${device.padEnd(6)} ${type.padEnd(6)} ${mode.padEnd(5)}`;
  if (reason !== null) return `${tried}  WRONG: ${reason}`;
  const size = (nats: number | null) => (nats ?? Number.NaN).toPrecision(2);
  return `${tried}  right: log-probabilities are off by ${size(difference)} nats, its rounding allows ${size(allowed)}`;
}

function concludeTest(results: readonly SelfTestResult[]): string {
  const wrong = [
    ...new Set(results.filter(({ ok }) => !ok).map(({ type, device }) => `${type} on ${device}`)),
  ];
  return wrong.length === 0
    ? `self-test: all of ${results.length} are right`
    : `self-test: WRONG: ${wrong.join(', ')}; models with such weights give no right number there`;
}

function describe(report: Omit<Report, 'selfTest'>, tested: boolean): string[] {
  const { engine, metrics } = report;
  return [
    `logit-audit ${report.version}, Node ${report.node}, ${report.platform}`,
    `metrics addon: ${metrics.ok ? 'works (a known mean is right)' : `MISSING: ${metrics.reason}`}`,
    ...(engine.ok ? describeEngine(engine.details) : [`engine addon: MISSING: ${engine.reason}`]),
    ...report.missing.map((line) => `not in use: ${line}`),
    tested
      ? 'self-test: a small model in each weight type, against float64'
      : 'weight types: not tried; logit-audit doctor --self-test decodes a small model in each',
  ];
}

/** Behind all that is found: it is long. */
function licenceLines(licence: string | null): string[] {
  return licence === null ? [] : ['llama.cpp is used under this licence:', ...indent(licence)];
}

function describeEngine({
  llamaVersion,
  llamaCrate,
  builtFor,
  features,
  cores,
  metrics,
  devices,
}: SystemInfo): string[] {
  return [
    `engine addon: loads; llama.cpp ${llamaVersion} (source from ${llamaCrate}), built for ${builtFor}`,
    `CPU features in use: ${features.join(', ')}`,
    threadsLine(cores),
    ...devices.map(
      ({ name, description, kind, memoryFree, memoryTotal, metrics: chosen }) =>
        `device ${name} (${kind}): ${description}, ${formatBytes(memoryFree)} free of ${formatBytes(memoryTotal)}; metrics on its logits: ${chosen}`,
    ),
    ...metrics.map((name) => `metrics ${name}: ${METRICS[name] ?? 'on logits where they lie'}`),
  ];
}

function threadsLine(cores: number): string {
  const asked = process.env.LOGIT_AUDIT_THREADS;
  const chosen =
    asked !== undefined
      ? `LOGIT_AUDIT_THREADS asks for ${asked}`
      : cores === 1
        ? 'one decodes'
        : 'a trial chooses one, half or all of them when a model is opened';
  return `CPU threads: ${cores} ${cores === 1 ? 'core' : 'cores'} of ${os.cpus().length} may be used; ${chosen} (--threads overrides)`;
}

function indent(text: string): string[] {
  return text
    .trim()
    .split('\n')
    .map((line) => `  ${line}`.trimEnd());
}
