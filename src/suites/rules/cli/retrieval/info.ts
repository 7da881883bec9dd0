/** `logit-audit retrieval info`. */
import { formatJson } from '../../../../report/index.ts';
import { print } from '../../../../report/terminal.ts';
import { readSplits, retrievalRecords } from '../../index.ts';
import { RetrievalArtifact, readSidecar, sidecarPath } from '../../retrieval/store/index.ts';
import { artifactJson, artifactSheet } from './sheet.ts';

export interface InfoFlags {
  data?: readonly string[];
  json?: boolean;
}

export async function info(file: string, flags: InfoFlags): Promise<void> {
  await using artifact = await RetrievalArtifact.open(file, await useOf(file, flags.data));
  print(flags.json ? formatJson(artifactJson(artifact)) : `${artifactSheet(artifact)}\n`);
}

/** The splits that the artifact names, read anew. */
async function useOf(file: string, data: readonly string[] | undefined) {
  if (data === undefined) return {};
  const { queries, candidates } = await readSidecar(sidecarPath(file));
  const { splits } = await readSplits(data, [queries.split, candidates.split]);
  const of = (name: string) => {
    const { split, pairs } = splits.find((one) => one.split === name)!;
    return { split, records: retrievalRecords(split, pairs) };
  };
  return { queries: of(queries.split), candidates: of(candidates.split) };
}
