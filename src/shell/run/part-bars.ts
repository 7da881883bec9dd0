/** Progress of a panel on the terminal. */
import type { Progress } from '../../run/index.ts';
import { type ProgressBar, progressBar } from '../progress-bar.ts';

/** One bar after the other, each under the name of its part. */
export class PartBars {
  #current: { readonly name: string; readonly bar: ProgressBar } | null = null;

  update(name: string, progress: Progress): void {
    if (this.#current?.name !== name) {
      this.stop();
      this.#current = { name, bar: progressBar(name) };
    }
    this.#current.bar.update(progress);
  }

  /** How many answers of an endpoint there are, of all parts. */
  answered(answers: number): void {
    this.#current?.bar.answered(answers);
  }

  stop(): void {
    this.#current?.bar.stop();
    this.#current = null;
  }
}
