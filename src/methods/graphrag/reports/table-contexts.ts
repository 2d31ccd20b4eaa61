import { memoise } from '../../../basics/memoise.ts'
import type { Community, Entity, Relationship } from '../tables.ts'
import { candidates, levelOf, type ReportEdges } from './candidates.ts'
import { reportContext } from './context.ts'
import { subReportContext } from './sub-reports.ts'
import type { ContextOf } from './write-reports.ts'

export interface TableContextOptions {
  readonly reportEdges: ReportEdges
  readonly reportTokens: number
  readonly oversize: 'trim' | 'subreports'
  readonly compat: boolean
}

/** Reports from the tables of entities and relationships (section 2.8); those of sub-communities stand in where a community is too large. */
export function tableContexts(
  entities: readonly Entity[],
  relationships: readonly Relationship[],
  communities: readonly Community[],
  { reportEdges, reportTokens, oversize, compat }: TableContextOptions,
  count: (text: string) => number,
): ContextOf {
  const byId = new Map(entities.map((entity) => [entity.id, entity]))
  const childrenOf = new Map<number, Community[]>()
  for (const community of communities) {
    const siblings = childrenOf.get(community.parent)
    if (siblings) siblings.push(community)
    else childrenOf.set(community.parent, [community])
  }
  const levelAt = memoise((level: number) => levelOf(communities, level, entities, relationships))
  const partsOf = ({ entityIds, level }: Community) => {
    const members = entityIds.flatMap((id) => byId.get(id) ?? [])
    return { members, relationships: candidates(members, levelAt(level), reportEdges) }
  }
  return (community, below) => {
    const { members, relationships: own } = partsOf(community)
    const trimmed = reportContext(members, own, reportTokens, count)
    const children = childrenOf.get(community.id) ?? []
    if (oversize === 'trim' || trimmed.relationships.length === own.length || children.length === 0) return trimmed.text
    const parts = children.map((child) => {
      // the reference takes a missing report for an empty one
      const report = below.get(child.id)?.fullContent ?? (compat ? '' : undefined)
      return { id: child.id, ...partsOf(child), ...(report !== undefined && { report }) }
    })
    return subReportContext(parts, reportTokens, count).text || trimmed.text
  }
}
