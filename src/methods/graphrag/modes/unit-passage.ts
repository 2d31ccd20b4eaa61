import type { Passage, Trace } from '../../../types.ts'
import type { TextUnit } from '../tables.ts'
import { nodeIds } from '../node-ids.ts'
import type { GraphIndex } from '../graph-index.ts'

/** A text unit as a passage; none where it stands in no document of the run. */
export function unitPassage(
  { sources }: Pick<GraphIndex, 'sources'>,
  { id, text }: TextUnit,
  rest: { readonly score: number; readonly order?: number; readonly why?: Trace },
): readonly Passage[] {
  const source = sources[id]
  if (!source) return []
  const { from, span } = source
  const why = { ...rest.why, nodes: [nodeIds.textUnit(id, source)] }
  return [{ text, from, kind: 'chunk', ...(span && { spans: [span] }), ...rest, why }]
}
