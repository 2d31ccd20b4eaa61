import { readDelimited, type GraphRecords } from '../../../tasks/graphrag/graph-records.ts'
import type { GraphReply } from '../../../tasks/graphrag/extract-graph.ts'

/**
 * What the replies to one text say together. `glued`: those in the delimiter form are read as one text without a separator, so that the
 * last record of each swallows the first of the next, as in the reference (section 2.3).
 */
export function recordsOf(replies: readonly GraphReply[], { glued }: { readonly glued: boolean }): GraphRecords {
  const delimited = replies.flatMap((reply) => reply.delimited ?? [])
  if (!glued || delimited.length < replies.length) return joined(replies)
  const { entities, relationships } = readDelimited(delimited.join(''), { glued })
  return { entities, relationships }
}

const joined = (replies: readonly GraphRecords[]): GraphRecords => ({
  entities: replies.flatMap(({ entities }) => entities),
  relationships: replies.flatMap(({ relationships }) => relationships),
})
