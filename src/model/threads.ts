/** The CPU threads that a model is decoded on, as its manifest keeps them and as people read them. */
import type { RawThreads } from '../native/engine.ts';

/** How many CPU threads decode in one process of the engine, and why. */
export type ThreadChoice = RawThreads;

/** "2 of 2 threads, by trial: 1 -> 310 tok/s, 2 -> 550 tok/s". */
export function describeThreads({ threads, cores, by, trial, retrials, changes }: ThreadChoice): string {
  const again =
    retrials === 0
      ? ''
      : `; tried again ${retrials === 1 ? 'once' : `${retrials} times`}, ${changes === 0 ? 'with the same result' : `changed ${changes === 1 ? 'once' : `${changes} times`}`}`;
  return `${threads} of ${cores} threads, ${REASONS[by]}${trialText(trial)}${again}`;
}

const REASONS: Readonly<Record<ThreadChoice['by'], string>> = {
  option: 'as asked',
  environment: 'by LOGIT_AUDIT_THREADS',
  one_core: 'since one core may be used',
  accelerator: 'since an accelerator holds all layers',
  flash_attention: 'half of the cores, since numbers depend on the number with flash attention',
  trial: 'by trial',
  untried: 'half of the cores, since no trial came to an end',
};

function trialText(trial: ThreadChoice['trial']): string {
  if (trial.length === 0) return '';
  const one = ({ threads, tokensPerSecond }: ThreadChoice['trial'][number]) =>
    `${threads} -> ${tokensPerSecond === null ? 'too slow' : `${rateText(tokensPerSecond)} tok/s`}`;
  return `: ${trial.map(one).join(', ')}`;
}

/** Thousands apart by a thin space, as in every table. */
const rateText = (rate: number) =>
  rate < 10 ? rate.toFixed(1) : String(Math.round(rate)).replace(/\B(?=(?:\d{3})+$)/g, '\u202f');
