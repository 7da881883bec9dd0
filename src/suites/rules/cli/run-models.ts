/** The models of `run rules`: the one that is asked, and the one that makes the final choices where it is another. */
import path from 'node:path';
import {
  type Backend,
  type EngineDescription,
  type OpenedModel,
  POLICY_ENGINE,
  type Usage,
} from '../../../model/index.ts';
import { type EndpointFlags, openByFlags } from '../../../shell/endpoint-options.ts';
import type { EngineFlags } from '../../../shell/options.ts';
import type { RulesRag } from '../run/options.ts';
import { RAG_VOTE, ragVoteModel } from '../run/vote.ts';

export interface StageFlags extends EngineFlags, EndpointFlags {
  model: string;
  stage2Model?: string;
  stage2BaseUrl?: string;
}

export interface OpenedStages {
  readonly backend: Backend;
  readonly engine: EngineDescription;
  readonly stage2?: Backend;
  readonly stage2Engine?: EngineDescription;
}

/** One model writes a journal at a time, so that of the final choices has another name. */
function finalAnswers({ answers }: EndpointFlags, out: string): string {
  const first = answers ?? path.join(out, 'answers.jsonl');
  const end = path.extname(first);
  return `${first.slice(0, first.length - end.length)}-final${end}`;
}

/** The flags of the second model: those of the first, but for where it is and where its answers are kept. */
function secondFlags(flags: StageFlags, out: string): EngineFlags & EndpointFlags {
  const { stage2BaseUrl } = flags;
  return {
    ...flags,
    answers: finalAnswers(flags, out),
    ...(stage2BaseUrl === undefined ? {} : { baseUrl: stage2BaseUrl }),
  };
}

/** Opens what the flags name. `out` is the folder of the run; `onAnswers` is called with how many answers of endpoints there are. */
export async function openStages(
  flags: StageFlags,
  rag: RulesRag | null,
  { out, signal, onAnswers }: { out: string; signal: AbortSignal; onAnswers: (answers: number) => void },
): Promise<OpenedStages> {
  const answers = [0, 0];
  const open = (stage: number, model: string, own: EngineFlags & EndpointFlags): Promise<OpenedModel> =>
    openByFlags(model, own, {
      out,
      signal,
      onAnswer({ asked, reused }: Usage) {
        answers[stage] = asked.requests + reused.requests;
        onAnswers(answers[0]! + answers[1]!);
      },
    });
  const first =
    flags.model === RAG_VOTE
      ? { backend: ragVoteModel(rag!), engine: POLICY_ENGINE }
      : await open(0, flags.model, flags);
  if (flags.stage2Model === undefined) return first;
  try {
    const second = await open(1, flags.stage2Model, secondFlags(flags, out));
    return { ...first, stage2: second.backend, stage2Engine: second.engine };
  } catch (thrown) {
    await first.backend.close();
    throw thrown;
  }
}
