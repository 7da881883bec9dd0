/** `logit-audit doctor`: what was built, what it runs on, and what is missing. */
import type { Command } from 'commander';
import { toAuditError } from '../errors.ts';
import { aggregateSync } from '../metrics.ts';
import { engineSystem, readBuildInfo, readLlamaLicence, type SystemInfo } from '../model/index.ts';
import { formatBytes } from '../report/index.ts';
import { packageVersion } from '../run/index.ts';
import { print } from '../terminal.ts';
import { EXIT, runAction } from './exit.ts';

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
}

export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .summary('show what was built and what it runs on')
    .description('Loads both native addons and tells CPU features, devices, licences, and what is missing.')
    .option('--json', 'print the report as JSON')
    .action((flags: { json?: boolean }) => runAction({ json: flags.json === true }, () => doctor(flags)));
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

function examine(): Report {
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

async function doctor({ json }: { json?: boolean }): Promise<void> {
  const report = examine();
  print(json ? `${JSON.stringify(report, null, 2)}\n` : `${describe(report).join('\n')}\n`);
  if (!report.metrics.ok || !report.engine.ok) process.exitCode = EXIT.failed;
}

function describe(report: Report): string[] {
  const { engine, metrics } = report;
  return [
    `logit-audit ${report.version}, Node ${report.node}, ${report.platform}`,
    `metrics addon: ${metrics.ok ? 'works' : `MISSING: ${metrics.reason}`}`,
    ...(engine.ok ? describeEngine(engine.details) : [`engine addon: MISSING: ${engine.reason}`]),
    ...(report.llamaLicence ? ['llama.cpp is used under this licence:', ...indent(report.llamaLicence)] : []),
    ...report.missing.map((line) => `not in use: ${line}`),
  ];
}

function describeEngine({
  llamaVersion,
  llamaCrate,
  builtFor,
  features,
  metrics,
  devices,
}: SystemInfo): string[] {
  return [
    `engine addon: works; llama.cpp ${llamaVersion} (source from ${llamaCrate}), built for ${builtFor}`,
    `CPU features in use: ${features.join(', ')}`,
    ...devices.map(
      ({ name, description, kind, memoryFree, memoryTotal, metrics: chosen }) =>
        `device ${name} (${kind}): ${description}, ${formatBytes(memoryFree)} free of ${formatBytes(memoryTotal)}; metrics on its logits: ${chosen}`,
    ),
    ...metrics.map((name) => `metrics ${name}: ${METRICS[name] ?? 'on logits where they lie'}`),
  ];
}

function indent(text: string): string[] {
  return text
    .trim()
    .split('\n')
    .map((line) => `  ${line}`.trimEnd());
}
