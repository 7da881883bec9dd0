/** What was asked and what it cost, counted as answers come. */

import { sum, type Tally, type Usage } from '../usage.ts';
import { costOf, type PriceTable } from './prices.ts';
import type { Served } from './reply.ts';

/** So many different notes are kept apart; what comes behind them is counted as one. */
const MOST_NOTES = 50;
const OTHER_NOTES = 'other notes';

const NOTHING: Tally = { requests: 0, inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, cost: 0 };

export class UsageCounter {
  readonly #prices: PriceTable;
  readonly #model: string;
  #asked = NOTHING;
  #reused = NOTHING;
  #repeated = 0;
  readonly #models = new Set<string>();
  readonly #fingerprints = new Set<string>();
  readonly #tiers = new Set<string>();
  readonly #notes = new Map<string, number>();

  constructor(prices: PriceTable, model: string) {
    this.#prices = prices;
    this.#model = model;
  }

  note(note: string): void {
    const known = this.#notes.has(note) || this.#notes.size < MOST_NOTES;
    const name = known ? note : OTHER_NOTES;
    this.#notes.set(name, (this.#notes.get(name) ?? 0) + 1);
  }

  #with(tally: Tally, { counts, model, fingerprint, tier, notes }: Served): Tally {
    for (const note of new Set(notes)) this.note(note);
    if (model !== null) this.#models.add(model);
    if (fingerprint !== null) this.#fingerprints.add(fingerprint);
    if (tier !== null) this.#tiers.add(tier);
    return {
      requests: tally.requests + 1,
      inputTokens: sum(tally.inputTokens, counts.input),
      cachedInputTokens: sum(tally.cachedInputTokens, counts.cachedInput),
      outputTokens: sum(tally.outputTokens, counts.output),
      cost: sum(tally.cost, costOf(counts, this.#prices, this.#model, tier)),
    };
  }

  addAsked(reply: Served, attempts: number): void {
    this.#asked = this.#with(this.#asked, reply);
    this.#repeated += attempts - 1;
  }

  addReused(reply: Served): void {
    this.#reused = this.#with(this.#reused, reply);
  }

  get usage(): Usage {
    return {
      asked: this.#asked,
      reused: this.#reused,
      repeatedAttempts: this.#repeated,
      served: {
        models: [...this.#models].sort(),
        fingerprints: [...this.#fingerprints].sort(),
        tiers: [...this.#tiers].sort(),
      },
      ...(this.#notes.size === 0 ? {} : { notes: Object.fromEntries(this.#notes) }),
    };
  }
}
