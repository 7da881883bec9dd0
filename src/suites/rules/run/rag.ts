/** Retrieved examples for a run: chosen before it starts, with what teachers answered to them. */
import path from 'node:path';
import { AuditError } from '../../../errors.ts';
import { hashFiles } from '../../../run/hash.ts';
import {
  exampleVote,
  type RetrieveRequest,
  type RulesExample,
  type RulesPair,
  readSplits,
  retrieveExamples,
  type ThreadType,
  type TraceStyle,
  Traces,
} from '../index.ts';
import { matrixName } from '../retrieval/store/index.ts';
import type { RulesRag } from './options.ts';

/** Which examples are shown, and from which files. */
export interface RagChoice {
  /** The split that is asked about. */
  readonly split: string;
  readonly data: readonly string[];
  readonly sourceSplit: string;
  /** Files of the source split; where it is the split that is asked about, `data` is enough. */
  readonly sourceData: readonly string[];
  readonly settings: RetrieveRequest['settings'];
  /** The .f16 file of "retrieval build"; default: by its name, in `folder`. Not looked at by `random`. */
  readonly artifact?: string;
  /** Where artifacts are. */
  readonly folder: string;
  readonly style: TraceStyle;
  /** Needed by every style but `template`. */
  readonly traces?: string;
}

/** Throws `bad_argument`, `retrieval_stale`, and what reading data, artifact and traces throws. */
export async function prepareRag(choice: RagChoice): Promise<RulesRag> {
  const { split, sourceSplit, settings, style, traces: file } = choice;
  if (style !== 'template' && file === undefined) {
    const message = `the trace style ${style} shows what a teacher answered; give the traces, or the style template`;
    throw new AuditError('bad_argument', message, { key: 'ragTracePath' });
  }
  const files = [...new Set([...choice.data, ...choice.sourceData])];
  const { splits, files: data } = await readSplits(files, [...new Set([split, sourceSplit])]);
  const find = (name: string) => splits.find((one) => one.split === name)!;
  const retrieved = await retrieveExamples({
    targets: find(split),
    source: find(sourceSplit),
    settings,
    artifact: choice.artifact ?? path.join(choice.folder, matrixName(split, sourceSplit)),
  });
  const targets = new Map(find(split).pairs.map((pair) => [pair.id, pair]));
  const traces = style === 'template' ? null : await Traces.read(file!);
  return {
    suffix: retrieved.suffix,
    description: {
      ...retrieved.description,
      trace_style: style,
      trace_path: traces ? file! : null,
      trace_sha256: traces ? (await hashFiles([file!])).sha256 : null,
      data: data.map((one) => ({ ...one })),
    },
    fewShot: {
      style,
      examplesOf: (pair: RulesPair, type: ThreadType): RulesExample[] =>
        retrieved.examplesOf(pair, type).map((example) => ({
          ...example,
          trace: traces?.of(example.key, example.pair, example.type) ?? null,
        })),
    },
    vote(id, type) {
      const pair = targets.get(id)!;
      return exampleVote(pair, type, retrieved.examplesOf(pair, type)).prediction;
    },
  };
}
