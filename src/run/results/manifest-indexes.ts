import type { IndexesRecord, IndexLine, Manifest, TrialLine } from '../records.ts'

/** Corpora whose indexes a manifest describes: the first ones. */
const mostCorpora = 100

/** What the indexes of every row say of themselves, in the order of the rows and of the corpora. Of an index made twice the last line counts. */
export async function indexesOf(
  { methods }: Pick<Manifest, 'methods'>,
  lines: AsyncIterable<IndexLine | TrialLine>,
): Promise<IndexesRecord> {
  const corpora = new Set<string>()
  const described = new Set<string>()
  const known = new Map<string, IndexLine>()
  for await (const line of lines) {
    if (line.line !== 'index') continue
    corpora.add(line.corpus)
    if (described.size < mostCorpora) described.add(line.corpus)
    if (described.has(line.corpus)) known.set(keyOf(line.contestant, line.corpus), line)
  }
  const of = methods.flatMap(({ id, method, variant }) =>
    [...described].flatMap((corpus) => {
      const { stats, losses } = known.get(keyOf(id, corpus)) ?? {}
      return stats || losses ? [{ method, variant, corpus, ...(stats && { stats }), ...(losses && { losses }) }] : []
    }),
  )
  return { corporaLeftOut: corpora.size - described.size, of }
}

const keyOf = (contestant: string, corpus: string): string => JSON.stringify([contestant, corpus])
