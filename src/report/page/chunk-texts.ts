import { memoise } from '../../basics/memoise.ts'
import type { Manifest, MethodRecord, TrialLine } from '../../records.ts'
import type { ContextPassage } from '../../types.ts'

/** The text of a chunk of a corpus as the row was given it; undefined where no context of the run tells it. */
export type ChunkText = (row: Pick<MethodRecord, 'id' | 'run'>, corpus: string, chunk: string) => string | undefined

/**
 * Learns the texts of chunks from the contexts of a run, which keeps no chunks beside its trials: `read` takes every trial, then `textOf`
 * knows those that a row within the budget gave alone and whole. Where contexts tell a chunk differently, it has no text.
 */
export function chunkTexts({ methods }: Pick<Manifest, 'methods'>): {
  readonly read: (trial: TrialLine) => void
  readonly textOf: ChunkText
} {
  const within = new Map(methods.flatMap((row) => (row.context === undefined ? [[row.id, row] as const] : [])))
  const known = memoise((_place: string) => new Map<string, string | undefined>())
  // runs of a series may cut one document differently, under the same ids
  const inCorpus = ({ run = '' }: Pick<MethodRecord, 'run'>, corpus: string) => known(JSON.stringify([run, corpus]))
  return {
    read({ methodId, corpus, context }) {
      const row = within.get(methodId)
      if (!row) return
      const texts = inCorpus(row, corpus)
      for (const passage of context) {
        const chunk = chunkOf(passage)
        if (chunk !== undefined)
          texts.set(chunk, !texts.has(chunk) || texts.get(chunk) === passage.text ? passage.text : undefined)
      }
    },
    textOf: (row, corpus, chunk) => inCorpus(row, corpus).get(chunk),
  }
}

/** The one chunk whose words a passage is. */
const chunkOf = ({ kind, from, derived }: ContextPassage): string | undefined =>
  kind === 'chunk' && !derived && from.length === 1 ? from[0] : undefined
