/** The tokens of observed texts as text: asked of the tokenizer once for each token, however often it comes. */
import { AuditError } from '../errors.ts';
import type { Tokenizer } from '../observation.ts';
import type { ObservedRequest, ObservedText } from '../suite/index.ts';

export class Pieces {
  readonly #tokenizer: Pick<Tokenizer, 'pieces'>;
  readonly #known = new Map<number, string>();

  constructor(tokenizer: Pick<Tokenizer, 'pieces'>) {
    this.#tokenizer = tokenizer;
  }

  /** The same answers, each text with its pieces. */
  async addTo(answers: readonly (ObservedRequest | AuditError)[]): Promise<(ObservedRequest | AuditError)[]> {
    const observed = answers.filter((answer): answer is ObservedRequest => !(answer instanceof AuditError));
    const ids = observed.flatMap(({ texts }) => texts.flatMap(({ tokenIds }) => tokenIds));
    const unknown = [...new Set(ids)].filter((id) => !this.#known.has(id));
    if (unknown.length > 0) {
      const pieces = await this.#tokenizer.pieces(unknown);
      unknown.forEach((id, at) => {
        this.#known.set(id, pieces[at]!);
      });
    }
    const withPieces = (text: ObservedText): ObservedText => ({
      ...text,
      pieces: text.tokenIds.map((id) => this.#known.get(id)!),
    });
    return answers.map((answer) =>
      answer instanceof AuditError ? answer : { ...answer, texts: answer.texts.map(withPieces) },
    );
  }
}
