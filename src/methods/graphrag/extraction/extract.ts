import { ModelError } from '../../../errors.ts'
import { askForMore } from '../../../tasks/graphrag/ask-for-more.ts'
import { extractGraph, type GraphReply } from '../../../tasks/graphrag/extract-graph.ts'
import type { GraphRecords } from '../../../tasks/graphrag/graph-records.ts'
import type { Models } from '../../../types.ts'
import { attempt } from '../../shared/attempt.ts'
import { refuseAllLost } from '../../shared/run-each.ts'
import { glean } from './glean.ts'
import { recordsOf } from './records-of.ts'

/** What was read in each text unit, in order; undefined where a call was of no use. */
export interface Extracted {
  readonly records: readonly (GraphRecords | undefined)[]
  readonly calls: number
}

/** Reads the graph of every text in a chat of its own, with gleanings (section 2.2). Throws ModelError where every text was lost. */
export async function extract(
  texts: readonly string[],
  models: Models,
  { entityTypes, maxGleanings, compat }: { entityTypes: readonly string[]; maxGleanings: number; compat: boolean },
): Promise<Extracted> {
  let calls = 0
  const outcomes = await Promise.all(
    texts.map(async (text) => {
      let lost: ModelError | undefined
      const useful = <T>(outcome: T | ModelError): T | undefined => {
        calls++
        if (!(outcome instanceof ModelError)) return outcome
        lost = outcome
        return undefined
      }
      const replies = await glean<GraphReply>(
        maxGleanings,
        async (before) => useful(await attempt(models, extractGraph, { text, entityTypes, replies: before })),
        async (before) => useful(await attempt(models, askForMore, { text, entityTypes, replies: before })),
      )
      return replies ? recordsOf(replies, { glued: compat }) : lost
    }),
  )
  refuseAllLost(extractGraph, outcomes)
  return { records: outcomes.map((outcome) => (outcome instanceof ModelError ? undefined : outcome)), calls }
}
