import { itemAt } from '../../basics/collections.ts'

/** When fragments of a description are summarised: from so many, or so many tokens, on; and tokens of a call. */
export interface SummaryLimits {
  readonly forceAt: number
  readonly summaryTokens: number
  readonly groupTokens: number
}

/**
 * The fragments of a description, or summaries of groups of them where they are many or long, until they are neither
 * (specification of LightRAG, section 2.4). A group whose summary is lost stays as it is.
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

/** Groups of up to so many tokens, and of two fragments at least while there are any. */
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
