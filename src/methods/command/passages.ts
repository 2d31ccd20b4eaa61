import { describe } from '../../text/shape-faults.ts'
import type { Chunk, Passage } from '../../types.ts'

/**
 * A list of passages as a program gives it: `{ chunk, score }` stands for a whole chunk, and a passage without a score gets one by its rank.
 * The rest is left to the checks of a ranking. Throws Error for what is no list, and for unknown chunks.
 */
export function passagesOf(given: unknown, chunks: ReadonlyMap<string, Chunk>): readonly Passage[] {
  if (!Array.isArray(given)) throw new Error(`it replied with passages that are ${describe(given)}, not with a list`)
  return (given as readonly unknown[]).map((one, rank) => {
    if (typeof one !== 'object' || one === null) throw new Error(`its passage number ${rank + 1} is ${describe(one)}`)
    const { chunk: id, score = 1 / (rank + 1), ...rest } = one as Readonly<Record<string, unknown>>
    const named = id === undefined ? rest['from'] : [id]
    const isKnown = (name: unknown): boolean => typeof name === 'string' && chunks.has(name)
    const strange = (Array.isArray(named) ? (named as readonly unknown[]) : []).findIndex((name) => !isKnown(name))
    if (strange >= 0)
      throw new Error(
        `its passage number ${rank + 1} is made of an unknown chunk ${JSON.stringify((named as readonly unknown[])[strange])}`,
      )
    const chunk = typeof id === 'string' ? chunks.get(id) : undefined
    return { kind: 'chunk', ...rest, ...(chunk && { text: chunk.text, from: [chunk.id] }), score } as Passage
  })
}
