import { memoise } from '../../basics/memoise.ts'
import type { Manifest, TrialLine } from '../../records.ts'
import type { ContextPassage } from '../../types.ts'

/** The text of a chunk of a corpus; undefined where no context of the run tells it. */
export type ChunkText = (corpus: string, chunk: string) => string | undefined

/**
 * Learns the texts of chunks from the contexts of a run, which keeps no chunks beside its trials: `read` takes every trial, then `textOf`
 * knows those that a row within the budget gave alone and whole. Where contexts tell a chunk differently, it has no text.
 */
export function chunkTexts({ methods }: Pick<Manifest, 'methods'>): {
  readonly read: (trial: TrialLine) => void
  readonly textOf: ChunkText
} {
  const within = new Set(methods.flatMap(({ id, context }) => (context === undefined ? [id] : [])))
  const inCorpus = memoise((_corpus: string) => new Map<string, string | undefined>())
  return {
    read({ methodId, corpus, context }) {
      if (!within.has(methodId)) return
      const texts = inCorpus(corpus)
      for (const passage of context) {
        const chunk = chunkOf(passage)
        if (chunk !== undefined)
          texts.set(chunk, !texts.has(chunk) || texts.get(chunk) === passage.text ? passage.text : undefined)
      }
    },
    textOf: (corpus, chunk) => inCorpus(corpus).get(chunk),
  }
}

/** The one chunk whose words a passage is. */
const chunkOf = ({ kind, from, derived }: ContextPassage): string | undefined =>
  kind === 'chunk' && !derived && from.length === 1 ? from[0] : undefined
