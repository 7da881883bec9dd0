/** What the commands of retrieval show of an artifact. */
import { formatBytes, formatCount, renderTable } from '../../../../report/index.ts';
import type { Sidecar } from '../../retrieval/store/index.ts';

interface Shown {
  readonly path: string;
  readonly sidecar: Sidecar;
}

export function artifactSheet({ path, sidecar }: Shown): string {
  const { queries, candidates, embedder } = sidecar;
  const left = ({ notHydrated, tooLong }: Sidecar['queries']) =>
    [
      notHydrated === 0 ? '' : `, ${formatCount(notHydrated)} not hydrated and left out`,
      tooLong.length === 0 ? '' : `, ${formatCount(tooLong.length)} too long and left out`,
    ].join('');
  const side = (one: Sidecar['queries']) => `${formatCount(one.keys.length)} of ${one.split}${left(one)}`;
  const prefix = (one: Sidecar['queries']) => (one.prefix === '' ? 'none' : JSON.stringify(one.prefix));
  const lines: (readonly [string, string])[] = [
    ['queries', side(queries)],
    ['candidates', side(candidates)],
    ['embedder', `${embedder.name} (${formatCount(embedder.dimension)} dimensions)`],
    ['in front of queries', prefix(queries)],
    ['in front of candidates', prefix(candidates)],
    ['size', formatBytes(sidecar.bytes)],
    ['SHA-256', sidecar.sha256],
  ];
  return renderTable(
    [
      { key: 'what', header: 'retrieval' },
      { key: 'value', header: path },
    ],
    lines.map(([what, value]) => ({ what, value: value })),
  );
}

/** The sidecar without the long lists of its keys. */
export function artifactJson({ path, sidecar }: Shown): object {
  const side = ({ keys, tooLong, ...rest }: Sidecar['queries']) => ({
    ...rest,
    threads: keys.length,
    tooLong: tooLong.length,
  });
  return { path, ...sidecar, queries: side(sidecar.queries), candidates: side(sidecar.candidates) };
}
