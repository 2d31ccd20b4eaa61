import { z } from 'zod'
import { byMethod, count, counts, failure, flatData, text, texts, type FromJson } from './parts.ts'
import { usage } from './usage.ts'

const graphHealth = z.object({
  nodes: count,
  /** Pairs of two nodes with an edge, in whichever direction, those that are too weak to be drawn among them. */
  edges: count,
  /** Connected components, and the nodes of the largest one; null where weak edges are not drawn. */
  components: count.nullable(),
  largest: count.nullable(),
})

/** Counts of the graph of an index. */
export type GraphHealth = FromJson<z.infer<typeof graphHealth>>

/** Statistics of an index. */
export const indexFacts = {
  corpus: text,
  /** The later repeat that it was built for. */
  repeat: count.optional(),
  stats: flatData.optional(),
  /** Counted losses of the index, without zeros. */
  warnings: counts.optional(),
}

export const indexLine = z.object({
  line: z.literal('index'),
  id: text,
  ...byMethod,
  ...indexFacts,
  documents: count,
  chunks: count,
  usage,
  /** Of an index with a graph. */
  graph: graphHealth.optional(),
  /** The first texts that could not be embedded, each with the reason; absent where there is none. */
  unembedded: texts.optional(),
  failure: failure.optional(),
})

/** A line of trials.jsonl: an index and its usage. */
export type IndexLine = FromJson<z.infer<typeof indexLine>>
