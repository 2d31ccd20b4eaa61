import { ModelError } from '../../../errors.ts'
import { askForMore } from '../../../tasks/graphrag/ask-for-more.ts'
import { extractGraph, type ExtractGraphInput, type GraphReply } from '../../../tasks/graphrag/extract-graph.ts'
import type { GraphRecords } from '../../../tasks/graphrag/graph-records.ts'
import type { Models, Task } from '../../../types.ts'
import { attempt } from '../../shared/attempt.ts'
import { glean } from './glean.ts'
import { recordsOf } from './records-of.ts'

/** How text units are read. */
export interface ExtractOptions {
  readonly entityTypes: readonly string[]
  readonly maxGleanings: number
  readonly compat: boolean
}

/** What was read in one text unit, or why nothing was; `unread`: replies of it that could not be read. */
export interface ExtractedUnit {
  readonly records: GraphRecords | ModelError
  readonly calls: number
  readonly unread: number
}

/**
 * Reads the graph of a text in a chat of its own, with gleanings (section 2.2). A gleaning that cannot be read adds nothing to the replies
 * before it, and stays in the chat as it was written. With `compat` so does a first reply, as in the release; without it, that ends the
 * chat. A call that is refused costs the text unit.
 */
export async function extractUnit(text: string, models: Models, options: ExtractOptions): Promise<ExtractedUnit> {
  const { entityTypes, maxGleanings, compat } = options
  let calls = 0
  let unread = 0
  let lost: ModelError | undefined
  const ask = async <T>(task: Task<ExtractGraphInput, T>, replies: readonly GraphReply[]): Promise<T | ModelError> => {
    calls++
    const outcome = await attempt(models, task, { text, entityTypes, replies })
    if (outcome instanceof ModelError) lost = outcome
    return outcome
  }
  const replies = await glean<GraphReply>(
    maxGleanings,
    async (before) => {
      const reply = await ask(extractGraph, before)
      if (!(reply instanceof ModelError)) return reply
      if (reply.kind !== 'reply') return undefined
      unread++
      return before.length > 0 || compat ? { entities: [], relationships: [], delimited: reply.raw ?? '' } : undefined
    },
    async (before) => {
      const wanted = await ask(askForMore, before)
      return wanted instanceof ModelError ? undefined : wanted
    },
  )
  const isLost = !replies || unread === replies.length
  return { records: isLost && lost ? lost : recordsOf(replies ?? [], { glued: compat }), calls, unread }
}
