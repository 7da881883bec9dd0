/** What was asked of a model that is paid by the token, and what it cost. */

export interface Tally {
  readonly requests: number;
  /** Tokens as the endpoint counts them. Null where it did not for each answer. */
  readonly inputTokens: number | null;
  readonly cachedInputTokens: number | null;
  readonly outputTokens: number | null;
  /** In the currency of the price table; null where it lacks the model, or tokens were not counted. */
  readonly cost: number | null;
}

export interface Usage {
  /** Answers that were asked of the endpoint, and paid. */
  readonly asked: Tally;
  /** Answers that a journal had; what they cost when they were asked. */
  readonly reused: Tally;
  /** Attempts that failed and were repeated, of requests that were answered. */
  readonly repeatedAttempts: number;
  /** What the endpoint said of what answered, each once: models, builds of its server, tiers. */
  readonly served: {
    readonly models: readonly string[];
    readonly fingerprints: readonly string[];
    readonly tiers: readonly string[];
  };
  /** What was not as it should be in answers, and in how many of them; left out where all was. */
  readonly notes?: Readonly<Record<string, number>>;
}

/** What is not known once is not known in all. */
export function sum(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b;
}

function sumOfNotes(...all: readonly Usage[]): Pick<Usage, 'notes'> {
  const sum = new Map<string, number>();
  for (const { notes = {} } of all) {
    for (const [note, count] of Object.entries(notes)) sum.set(note, (sum.get(note) ?? 0) + count);
  }
  return sum.size === 0 ? {} : { notes: Object.fromEntries(sum) };
}

/** Of two models together. */
export function usageOfBoth(one: Usage, other: Usage): Usage {
  const both = (a: Tally, b: Tally): Tally => ({
    requests: a.requests + b.requests,
    inputTokens: sum(a.inputTokens, b.inputTokens),
    cachedInputTokens: sum(a.cachedInputTokens, b.cachedInputTokens),
    outputTokens: sum(a.outputTokens, b.outputTokens),
    cost: sum(a.cost, b.cost),
  });
  const names = (key: keyof Usage['served']) =>
    [...new Set([...one.served[key], ...other.served[key]])].sort();
  return {
    asked: both(one.asked, other.asked),
    reused: both(one.reused, other.reused),
    repeatedAttempts: one.repeatedAttempts + other.repeatedAttempts,
    served: { models: names('models'), fingerprints: names('fingerprints'), tiers: names('tiers') },
    ...sumOfNotes(one, other),
  };
}

/** What came between two counts; what served and what was noted is said of all that came before the second. */
function usageSince(before: Usage, now: Usage): Usage {
  const less = (a: number | null, b: number | null) => (a === null || b === null ? null : a - b);
  const between = (a: Tally, b: Tally): Tally => ({
    requests: b.requests - a.requests,
    inputTokens: less(b.inputTokens, a.inputTokens),
    cachedInputTokens: less(b.cachedInputTokens, a.cachedInputTokens),
    outputTokens: less(b.outputTokens, a.outputTokens),
    cost: less(b.cost, a.cost),
  });
  return {
    asked: between(before.asked, now.asked),
    reused: between(before.reused, now.reused),
    repeatedAttempts: now.repeatedAttempts - before.repeatedAttempts,
    served: now.served,
    ...(now.notes === undefined ? {} : { notes: now.notes }),
  };
}

/** What is asked of a model from now on, whenever that is called; null for one that counts nothing. */
export function usageFromNow(model: { readonly usage?: Usage | undefined }): () => Usage | null {
  const before = model.usage;
  return () => (before && model.usage ? usageSince(before, model.usage) : null);
}
