/** What a request has that an answer can be had without: where an endpoint refuses it, it is left out, and a note says so. */
import { AttemptFault } from './fault.ts';
import type { Reply } from './reply.ts';

type Body = Readonly<Record<string, unknown>>;

/** What each does for the answer is missing, or is done here. */
const OPTIONAL = ['stream_options', 'encoding_format', 'seed', 'stop'] as const;
type Optional = (typeof OPTIONAL)[number];

/** Of a request that the endpoint cannot read, or does not want to. */
const REFUSALS: ReadonlySet<number | null> = new Set([400, 405, 422, 501]);
const REFUSING =
  /support|unrecogni[sz]ed|unknown|permitted|forbidden|invalid|unexpected|allow|extra|argument/i;
const MOST_WORDS = 200;

/** What of the request the endpoint names as what it refuses. */
function refusedIn(thrown: unknown, body: Body): Optional | null {
  if (!(thrown instanceof AttemptFault) || !REFUSALS.has(thrown.status)) return null;
  const { message, param } = thrown;
  const isNamed = (name: string) =>
    param === name || (REFUSING.test(message) && new RegExp(`\\b${name}\\b`).test(message));
  return OPTIONAL.find((name) => body[name] !== undefined && isNamed(name)) ?? null;
}

function without(body: Body, names: Iterable<string>): Body {
  const left = new Set(names);
  return Object.fromEntries(Object.entries(body).filter(([name]) => !left.has(name)));
}

export interface Asked<T> {
  readonly value: T;
  /** What was left out. */
  readonly notes: readonly string[];
}

export class Optionals {
  /** Refused once, with what was said, and answered without. */
  readonly #refused = new Map<Optional, string>();

  /** Asks without what is refused. Throws what `ask` throws. */
  async ask<T>(given: Body, ask: (body: Body) => Promise<T>): Promise<Asked<T>> {
    const left = new Map([...this.#refused].filter(([name]) => given[name] !== undefined));
    for (;;) {
      const body = without(given, left.keys());
      try {
        const value = await ask(body);
        for (const [name, said] of left) this.#refused.set(name, said);
        return { value, notes: [...left].map(([name, said]) => `${name} is not sent: ${said}`) };
      } catch (thrown) {
        const name = refusedIn(thrown, body);
        if (name === null) throw thrown;
        left.set(name, (thrown as Error).message.slice(0, MOST_WORDS));
      }
    }
  }
}

/** The answer up to the first of the texts that end it, where the endpoint does not end it there itself. */
export function stopped(reply: Reply, stop: unknown): Reply {
  const texts = Array.isArray(stop) ? stop.filter((own) => typeof own === 'string') : [];
  const ends = texts.map((own) => reply.text.indexOf(own)).filter((at) => at !== -1);
  if (ends.length === 0) return reply;
  return { ...reply, text: reply.text.slice(0, Math.min(...ends)), finish: 'stop' };
}
