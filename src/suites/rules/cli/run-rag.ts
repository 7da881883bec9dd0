/** Options of `run rules` that say which examples are shown, and how. */
import path from 'node:path';
import { type Command, Option } from 'commander';
import { AuditError } from '../../../errors.ts';
import { wholeNumber } from '../../../shell/options.ts';
import { TRACE_STYLES, type TraceStyle } from '../index.ts';
import { BALANCES, FILTERS, type RetrievalBalance, type RetrievalFilter } from '../retrieval/store/index.ts';
import type { RulesRag } from '../run/options.ts';
import { prepareRag } from '../run/rag.ts';

export interface RagFlags {
  ragK: number;
  ragFilter: RetrievalFilter;
  ragBalance: RetrievalBalance;
  ragSourceSplit: string;
  ragData?: string[];
  ragRetrievalPath?: string;
  ragTracePath?: string;
  ragTraceStyle?: TraceStyle;
  retrofill: boolean;
}

export function withRagOptions(command: Command): Command {
  return command
    .option('--rag-k <k>', 'retrieved examples for each thread; 0: none', wholeNumber(0), 0)
    .addOption(
      new Option('--rag-filter <filter>', 'what examples have in common with the target')
        .choices(FILTERS)
        .default('none'),
    )
    .addOption(
      new Option('--rag-balance <balance>', 'mixed: of both kinds; top: the nearest; random: drawn')
        .choices(BALANCES)
        .default('mixed'),
    )
    .option('--rag-source-split <name>', 'split that examples come from', 'train')
    .option('--rag-data <files...>', 'data of that split')
    .option(
      '--rag-retrieval-path <file>',
      'similarities, of "retrieval build" (default: OUT/rag/{split}_to_{source}_target_comment_similarity.f16)',
    )
    .addOption(
      new Option('--rag-trace-path <file>', "teachers' answers, JSON Lines").env('PLURULE_RAG_TRACE_PATH'),
    )
    .addOption(
      new Option('--rag-trace-style <style>', 'how examples are answered; needed with --rag-k').choices(
        TRACE_STYLES,
      ),
    )
    .option('--no-retrofill', 'examples in one text with the question instead of turns in front of it');
}

/** What the baseline rag-vote works with where nothing else is asked: four examples of the community, the nearest or drawn. */
export function forVote(flags: RagFlags): RagFlags {
  return {
    ...flags,
    ragK: flags.ragK === 0 ? 4 : flags.ragK,
    ragFilter: 'subreddit',
    ragBalance: flags.ragBalance === 'random' ? 'random' : 'top',
    ragTraceStyle: 'template',
  };
}

/** Null for a run without examples. Throws `bad_argument` for options that do not fit each other, and what reading throws. */
export async function ragOf(
  flags: RagFlags,
  given: { readonly split: string; readonly data: readonly string[]; readonly out: string },
): Promise<RulesRag | null> {
  if (flags.ragK === 0) return null;
  if (flags.ragTraceStyle === undefined) {
    const message = `--rag-trace-style is needed with --rag-k; give one of ${TRACE_STYLES.join(', ')}`;
    throw new AuditError('bad_argument', message, { key: 'ragTraceStyle' });
  }
  return prepareRag({
    split: given.split,
    data: given.data,
    sourceSplit: flags.ragSourceSplit,
    sourceData: flags.ragData ?? [],
    settings: { k: flags.ragK, filter: flags.ragFilter, balance: flags.ragBalance },
    folder: path.join(given.out, 'rag'),
    style: flags.ragTraceStyle,
    ...(flags.ragRetrievalPath === undefined ? {} : { artifact: flags.ragRetrievalPath }),
    ...(flags.ragTracePath === undefined ? {} : { traces: flags.ragTracePath }),
  });
}
