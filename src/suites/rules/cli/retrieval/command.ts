/** `logit-audit retrieval`: which examples the comments of one split find in another, worked out once for all runs. */
import { type Command, Option } from 'commander';
import { EMBEDDER_FLAGS, withEndpointOptions } from '../../../../shell/endpoint-options.ts';
import { runAction } from '../../../../shell/exit.ts';
import { wholeNumber, withEngineOptions } from '../../../../shell/options.ts';
import { GROUP } from '../../../../shell/run/shared-options.ts';
import { type BuildFlags, build } from './build.ts';
import { type InfoFlags, info } from './info.ts';

/** What vectors depend on, and where they are made. */
export const ENGINE_FLAGS = [
  'ctx',
  'mode',
  'kvType',
  'flashAttention',
  'threads',
  'batch',
  'device',
  'gpuLayers',
  'timeout',
  'inProcess',
] as const;

const BUILD_HELP = `
The data are documents {"metadata": {"split": "test"}, "subreddits": [...]}, one or several a split. Of each thread the
target comment alone is embedded, "[empty]" where it is blank. Comments that are not hydrated are left out.

Written into the folder:
  test_to_train_target_comment_similarity.f16           cosines, half precision, queries x candidates
  test_to_train_target_comment_similarity.summary.json  keys, checksum, embedder, data
  embeddings-*.f32, .jsonl                              vectors, for the next build: a killed build resumes from them

Examples:
  logit-audit retrieval build --query-split test --candidate-split train --data test.json train.json \\
    --embedder embedder.gguf --out rag
  logit-audit retrieval build --query-split val --candidate-split train --data val.json train.json \\
    --embedder embedder.gguf --out rag --instruction "Find comments that break the same rule"
  logit-audit retrieval build --query-split test --candidate-split train --data test.json train.json \\
    --embedder openai:text-embedding-3-small --out rag

Exit codes: 0 done, 1 something broke, 2 bad input, 3 disk full, 130 interrupted.`;

const INFO_HELP = `
The file is checked against the checksum beside it; with --data, also against the comments that it is to be used with.

Examples:
  logit-audit retrieval info rag/test_to_train_target_comment_similarity.f16
  logit-audit retrieval info rag/test_to_train_target_comment_similarity.f16 --data test.json train.json

Exit codes: 0 it can be used, 1 something broke, 2 it cannot be used, or it is missing.`;

const EXAMPLES = `
Examples:
  logit-audit retrieval build --query-split test --candidate-split train --data test.json train.json \\
    --embedder embedder.gguf --out rag
  logit-audit retrieval info rag/test_to_train_target_comment_similarity.f16`;

export function addRetrievalCommand(program: Command): void {
  const retrieval = program
    .command('retrieval')
    .summary('examples by similarity: compare the comments of two splits')
    .description(
      'Artifacts of retrieval: how similar the target comments of one split are to those of another.',
    )
    .addHelpText('after', EXAMPLES);
  addBuild(retrieval);
  retrieval
    .command('info')
    .summary('what an artifact holds, and whether it is whole')
    .description('Shows what an artifact was built of, and checks it.')
    .argument('<file>', 'the .f16 file')
    .option('--data <files...>', 'data of both splits, to check it against')
    .option('--json', 'print it as JSON')
    .addHelpText('after', INFO_HELP)
    .action((file: string, flags: InfoFlags) =>
      runAction({ json: flags.json === true }, () => info(file, flags)),
    );
}

function addBuild(retrieval: Command): void {
  const command = retrieval
    .command('build')
    .summary('compare the target comments of two splits')
    .description('Embeds the target comments of two splits and writes the cosine of each with each.')
    .requiredOption('--query-split <name>', 'split whose comments look for examples, such as test')
    .requiredOption('--candidate-split <name>', 'split that the examples come from, such as train')
    .requiredOption('--data <files...>', 'documents of both splits')
    .requiredOption(
      '--embedder <model>',
      'what makes vectors of texts: a GGUF model, or openai:MODEL behind an endpoint',
    )
    .requiredOption('--out <folder>', 'folder of the artifact; made if need be')
    .option('--instruction <text>', 'put "Instruct: TEXT", a line break and "Query: " in front of comments')
    .addOption(
      new Option('--instruct <side>', 'which comments the instruction is for')
        .choices(['queries', 'both'])
        .default('queries'),
    )
    .option('--leave-out-too-long', 'leave out comments that are longer than --ctx, and list them')
    .option('--json', 'print what was built as JSON')
    .optionsGroup(GROUP.engine);
  withEngineOptions(command, ENGINE_FLAGS)
    .optionsGroup(GROUP.endpoint)
    .option('--dimensions <n>', 'entries of a vector, for models that make shorter ones', wholeNumber(1))
    .option('--texts-per-request <n>', 'most comments in one request (default: 32)', wholeNumber(1));
  withEndpointOptions(command, EMBEDDER_FLAGS)
    .addHelpText('after', BUILD_HELP)
    .action((flags: BuildFlags) =>
      runAction({ json: flags.json === true }, (signal) => build(flags, signal)),
    );
}
