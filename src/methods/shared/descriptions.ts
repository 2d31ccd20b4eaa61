import { ModelError } from '../../errors.ts'
import { mergeDescriptions } from '../../tasks/graphrag-index.ts'
import type { Models } from '../../types.ts'
import { attempt } from './attempt.ts'
import { type Count, packByTokens } from './fitting.ts'

/** Merges descriptions of a name, or of a pair of names, in one call; undefined for a lost reply, which is counted. */
export function descriptionMerger(models: Models, words: number) {
  const counts = { lost: 0 }
  const merge = async (names: readonly string[], descriptions: readonly string[]): Promise<string | undefined> => {
    const reply = await attempt(models, mergeDescriptions, { names, descriptions, words })
    if (!(reply instanceof ModelError)) return reply
    counts.lost++
    return undefined
  }
  return { merge, counts }
}

export type DescriptionMerger = ReturnType<typeof descriptionMerger>

/** Fragments are summarised from `forceAt` of them or `summaryTokens` tokens; a call has up to `groupTokens`. */
interface SummaryLimits {
  readonly forceAt: number
  readonly summaryTokens: number
  readonly groupTokens: number
}

/**
 * Summarises groups of fragments until they are few and short (LightRAG, `_handle_entity_relation_summary`). A group
 * whose summary fails stays unchanged.
 */
export async function summariseFragments(
  fragments: readonly string[],
  limits: SummaryLimits,
  count: Count,
  summarise: (group: readonly string[]) => Promise<string | undefined>,
): Promise<readonly string[]> {
  const tokens = fragments.reduce((sum, fragment) => sum + count(fragment), 0)
  const areShort = fragments.length < limits.forceAt && tokens < limits.summaryTokens
  if (fragments.length < 2 || areShort) return fragments
  const groups = packByTokens(fragments, count, limits.groupTokens, 2)
  const parts: string[] = []
  for (const group of groups) {
    const summary = group.length > 1 ? await summarise(group) : undefined
    parts.push(...(summary === undefined ? group : [summary]))
  }
  const isDone = groups.length === 1 || parts.length === fragments.length
  return isDone ? parts : summariseFragments(parts, limits, count, summarise)
}
