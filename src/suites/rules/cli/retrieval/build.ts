/** `logit-audit retrieval build`. */
import { formatJson } from '../../../../report/index.ts';
import { print } from '../../../../report/terminal.ts';
import { packageVersion } from '../../../../run/index.ts';
import { warn } from '../../../../shell/exit.ts';
import { type ProgressBar, progressBar } from '../../../../shell/progress-bar.ts';
import { usageLines } from '../../../../shell/run/sheet.ts';
import { readSplits, retrievalRecords } from '../../index.ts';
import { buildRetrieval, instructionPrefix } from '../../retrieval/store/index.ts';
import { type EmbedderFlags, openEmbedder } from './embedder.ts';
import { artifactJson, artifactSheet } from './sheet.ts';

export interface BuildFlags extends EmbedderFlags {
  querySplit: string;
  candidateSplit: string;
  data: readonly string[];
  embedder: string;
  out: string;
  instruction?: string;
  instruct: 'queries' | 'both';
  leaveOutTooLong?: boolean;
  json?: boolean;
}

export async function build(flags: BuildFlags, signal: AbortSignal): Promise<void> {
  const { querySplit, candidateSplit, instruct } = flags;
  const { splits, files } = await readSplits(flags.data, [querySplit, candidateSplit]);
  const prefix = flags.instruction === undefined ? '' : instructionPrefix(flags.instruction);
  const side = (split: string, own: string) => {
    const { pairs } = splits.find((one) => one.split === split)!;
    return { split, records: retrievalRecords(split, pairs), prefix: own };
  };
  await using embedder = await openEmbedder(flags.embedder, flags);
  const bars = new Bars();
  try {
    const built = await buildRetrieval({
      queries: side(querySplit, prefix),
      candidates: side(candidateSplit, instruct === 'both' ? prefix : ''),
      embedder,
      out: flags.out,
      data: [...files],
      versions: { 'logit-audit': packageVersion() },
      leaveOutTooLong: flags.leaveOutTooLong === true,
      signal,
      onProgress: (step, done, total) => bars.update(step, done, total),
      ...(flags.threads === undefined ? {} : { threads: flags.threads }),
    });
    bars.stop();
    for (const { split, notHydrated, tooLong } of [built.sidecar.queries, built.sidecar.candidates]) {
      if (tooLong.length > 0) warn(`${tooLong.length} comments of ${split} are too long and were left out`);
      if (notHydrated > 0) warn(`${notHydrated} comments of ${split} are not hydrated and were left out`);
    }
    const usage = embedder.usage();
    const sheet = [artifactSheet(built), ...usageLines(usage)].map((line) => `${line}\n`).join('');
    const json = { ...artifactJson(built), ...(usage ? { usage } : {}) };
    print(flags.json ? formatJson(json) : sheet);
  } finally {
    bars.stop();
  }
}

/** One bar after the other. */
class Bars {
  #step: string | null = null;
  #bar: ProgressBar | null = null;

  update(step: 'embed' | 'compare', done: number, total: number): void {
    if (step !== this.#step) {
      this.stop();
      this.#bar = progressBar(step);
      this.#step = step;
    }
    this.#bar?.update({ rows: done, totalRows: total });
  }

  stop(): void {
    this.#bar?.stop();
    this.#bar = null;
  }
}
