import { itemAt } from '../../basics/collections.ts'

/** Fragments are summarised from `forceAt` fragments or `summaryTokens` tokens; a call has up to `groupTokens`. */
export interface SummaryLimits {
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
  count: (text: string) => number,
  summarise: (group: readonly string[]) => Promise<string | undefined>,
): Promise<readonly string[]> {
  const sizes = fragments.map(count)
  const total = sizes.reduce((sum, size) => sum + size, 0)
  if (fragments.length < 2 || (fragments.length < limits.forceAt && total < limits.summaryTokens)) return fragments
  const groups = total <= limits.groupTokens ? [fragments] : groupsOf(fragments, sizes, limits.groupTokens)
  const parts: string[] = []
  for (const group of groups) {
    const summary = group.length > 1 ? await summarise(group) : undefined
    parts.push(...(summary === undefined ? group : [summary]))
  }
  const isDone = groups.length === 1 || parts.length === fragments.length
  return isDone ? parts : summariseFragments(parts, limits, count, summarise)
}

/** Groups of up to `most` tokens and at least two fragments, except the last. */
function groupsOf(fragments: readonly string[], sizes: readonly number[], most: number): readonly string[][] {
  const groups: string[][] = []
  let tokens = 0
  for (const [at, fragment] of fragments.entries()) {
    const last = groups.at(-1)
    tokens += itemAt(sizes, at)
    if (last && (tokens <= most || last.length === 1)) last.push(fragment)
    else {
      groups.push([fragment])
      tokens = itemAt(sizes, at)
    }
  }
  return groups
}
