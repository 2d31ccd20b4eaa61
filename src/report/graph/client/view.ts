import type { PageNode } from './model.ts'

/** What is to be seen of the graph. Whoever changes it asks for a new painting. */
export interface View {
  selected: PageNode | null
  hovered: PageNode | null
  /** Edges that weigh less are hidden. */
  threshold: number
  /** Lit nodes with their rank from 1, or 0 where they have none; null: nothing is lit, nothing dimmed. */
  lit: ReadonlyMap<PageNode, number> | null
  evidence: ReadonlySet<PageNode>
}
