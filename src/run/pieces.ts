/** The tokens of observed texts as text: asked of the tokenizer once for each token, however often it comes. */

import type { ObservedGeneration, ObservedRequest, ObservedText } from '../contract/index.ts';
import { AuditError } from '../errors.ts';
import type { Tokenizer } from '../observation/observation.ts';

export class Pieces {
  readonly #tokenizer: Pick<Tokenizer, 'pieces'>;
  readonly #known = new Map<number, string>();

  constructor(tokenizer: Pick<Tokenizer, 'pieces'>) {
    this.#tokenizer = tokenizer;
  }

  #withPieces(answer: ObservedRequest): ObservedRequest {
    const withOwn = <T extends ObservedText | ObservedGeneration>(tokens: T): T => ({
      ...tokens,
      pieces: tokens.tokenIds.map((id) => this.#known.get(id)!),
    });
    const { texts, generation } = answer;
    return { ...answer, texts: texts.map(withOwn), generation: generation && withOwn(generation) };
  }

  /** The same answers, each text with its pieces. */
  async addTo(answers: readonly (ObservedRequest | AuditError)[]): Promise<(ObservedRequest | AuditError)[]> {
    const observed = answers.filter((answer): answer is ObservedRequest => !(answer instanceof AuditError));
    const ids = observed.flatMap(({ texts, generation }) => [
      ...texts.flatMap(({ tokenIds }) => tokenIds),
      ...(generation?.tokenIds ?? []),
    ]);
    const unknown = [...new Set(ids)].filter((id) => !this.#known.has(id));
    if (unknown.length > 0) {
      const pieces = await this.#tokenizer.pieces(unknown);
      unknown.forEach((id, at) => {
        this.#known.set(id, pieces[at]!);
      });
    }
    return answers.map((answer) => (answer instanceof AuditError ? answer : this.#withPieces(answer)));
  }
}
