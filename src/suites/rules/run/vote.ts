/** The baseline rag-vote: instead of a model, the examples of a thread vote for one of its options. */

import { type Backend, PolicyModel } from '../../../model/index.ts';
import type { Stage } from '../ask/index.ts';
import type { ThreadType } from '../index.ts';
import type { RulesRag } from './options.ts';

export const RAG_VOTE = 'rag-vote';

/** It says nothing in the first stage, and nothing in the second where no example's rule is on offer: that is unparsed. */
export function ragVoteModel({ vote }: Pick<RulesRag, 'vote'>): Backend {
  return new PolicyModel(RAG_VOTE, ({ stage, pair, type }) => {
    if (stage !== ('final' satisfies Stage)) return '';
    return vote(pair!, type as ThreadType) ?? '';
  });
}
