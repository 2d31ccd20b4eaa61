import type { Chunk, Passage } from '../../types.ts'
import { passageKey } from '../shared/fuse-passages.ts'
import { longestStart } from '../shared/longest-start.ts'

/** Shows passages to an agent. `numbers`: of the passages, by first sight; `newTokens`: of those not seen before. */
export type Observe = (ranking: readonly Passage[]) => {
  readonly passages: readonly Passage[]
  readonly observation: string
  readonly numbers: string
  readonly newTokens: number
}

/** Shows the longest prefix of a ranking within `limit` tokens; passages seen before are numbers only. */
export function createObserver(
  chunks: readonly Chunk[],
  limit: number,
  countTokens: (text: string) => number,
): Observe {
  const observations = new Map<string, { readonly number: number; readonly passage: Passage }>()
  return (ranking) => {
    const newObservations: { readonly number: number; readonly passage: Passage; readonly isNew: boolean }[] = []
    let newTokens = 0
    for (const candidate of ranking) {
      const key = passageKey(candidate)
      const earlier = observations.get(key)
      const fits = newTokens + countTokens(candidate.text) <= limit
      const passage = earlier?.passage ?? (fits ? candidate : newTokens > 0 ? undefined : beginningOf(candidate))
      if (!passage) break
      const entry = earlier ?? { number: observations.size + 1, passage }
      observations.set(key, entry)
      newObservations.push({ ...entry, isNew: !earlier })
      if (!earlier) newTokens += countTokens(passage.text)
    }
    const lines = newObservations.map(({ number, passage, isNew }) =>
      isNew ? `[${number}] ${passage.text}` : `[${number}]`,
    )
    return {
      passages: newObservations.map(({ passage }) => passage),
      observation: lines.join('\n') || 'Nothing was found.',
      numbers: newObservations.map(({ number }) => `[${number}]`).join(' ') || 'nothing was found',
      newTokens,
    }
  }

  /** The longest prefix within the limit; undefined if its place in the documents is not one span. */
  function beginningOf(passage: Passage): Passage | undefined {
    const text = longestStart(passage.text, limit, countTokens)
    if (text.trim() === '') return undefined
    if (passage.kind !== 'chunk') return { ...passage, text }
    const [span, ...rest] = passage.spans ?? chunks.filter(({ id }) => passage.from.includes(id))
    // the path of a section before the words of a chunk is in no span
    const lead = span ? passage.text.length - (span.end - span.start) : 0
    if (!span || rest.length > 0 || lead < 0) return undefined
    const { documentId, start } = span
    return { ...passage, text, spans: [{ documentId, start, end: start + Math.max(0, text.length - lead) }] }
  }
}
