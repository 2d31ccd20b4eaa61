import type { IndexesRecord, IndexLine, Manifest } from '../../records.ts'

/** Corpora whose indexes a manifest describes: the first ones. */
const mostCorpora = 100

/** What the indexes of every row say of themselves, in the order of the rows, the corpora and the repeats. Of an index made twice the last line counts. */
export async function indexesOf(
  { methods }: Pick<Manifest, 'methods'>,
  lines: AsyncIterable<IndexLine>,
): Promise<IndexesRecord> {
  const corpora = new Set<string>()
  const described = new Set<string>()
  const known = new Map<string, Map<number, IndexLine>>()
  for await (const line of lines) {
    corpora.add(line.corpus)
    if (described.size < mostCorpora) described.add(line.corpus)
    if (!described.has(line.corpus)) continue
    const key = keyOf(line.methodId, line.corpus)
    known.set(key, (known.get(key) ?? new Map<number, IndexLine>()).set(line.repeat ?? 0, line))
  }
  const of = methods.flatMap(({ id, method, variant }) =>
    [...described].flatMap((corpus) =>
      [...(known.get(keyOf(id, corpus))?.values() ?? [])]
        .filter(({ stats, warnings }) => stats ?? warnings)
        .map(({ repeat, stats, warnings }) => ({
          ...{ method, variant, corpus },
          ...(repeat !== undefined && { repeat }),
          ...(stats && { stats }),
          ...(warnings && { warnings }),
        })),
    ),
  )
  return { corporaLeftOut: corpora.size - described.size, of }
}

const keyOf = (methodId: string, corpus: string): string => JSON.stringify([methodId, corpus])
