import { communityRows, type Cluster } from '../communities.ts'
import { candidates, levelOf, reportContext, reportMarkdown } from '../reports.ts'
import type { Relationship } from '../tables.ts'
import type { GraphragOptions } from '../options.ts'
import type { TokenizerName } from '../../../text/tokens.ts'
import { replayGolden } from '../../../test-support/golden.ts'
import { counter, sha256, tablesOf } from '../../../test-support/graphrag-index/tables.ts'

/** Rows of communities and what their reports are written from. */
replayGolden({
  'graphrag.community_rows': rows,
  'graphrag.report_context': context,
  'graphrag.report_markdown': (report: Parameters<typeof reportMarkdown>[0]) => ({
    fullContent: reportMarkdown(report),
  }),
})

interface Rows {
  readonly index?: string
  readonly partition: readonly { id: number; level: number; community: number; parent: number; nodes: string[] }[]
  readonly entities?: readonly string[]
  readonly relationships?: readonly Relationship[]
}

async function rows({ index, partition, ...given }: Rows) {
  const tables = index === undefined ? undefined : await tablesOf(index)
  const entities = tables?.entities ?? (given.entities ?? []).map((title, id) => ({ id, title }))
  const relationships = tables?.relationships ?? given.relationships ?? []
  const clusters = partition.map(({ community, level, parent, nodes }): Cluster => ({
    id: community,
    level,
    parent,
    titles: nodes,
  }))
  const communities = communityRows(clusters, entities, relationships)
  // the reference raises where no community has an inner relationship; ours has no communities then
  if (communities.length === 0) return { error: 'no communities' }
  return {
    communities: communities.map((row) => ({ ...row, title: `Community ${row.id}`, size: row.entityIds.length })),
  }
}

interface Context {
  readonly index: string
  readonly community: number
  readonly contextTokens: number
  readonly tokenizer: TokenizerName
  readonly edges: GraphragOptions['reportEdges']
}

async function context({ index, community: id, contextTokens, tokenizer, edges }: Context) {
  const { entities, relationships, communities } = await tablesOf(index)
  const community = communities.find((one) => one.id === id)
  if (!community) throw new Error(`no community ${id}`)
  const members = entities.filter((entity) => community.entityIds.includes(entity.id))
  const titles = new Set(members.map(({ title }) => title))
  const level = levelOf(communities, community.level, entities, relationships)
  const chosen = candidates(members, level, edges)
  const made = reportContext(members, chosen, contextTokens, counter(tokenizer))
  const isInner = ({ source, target }: Relationship) => titles.has(source) && titles.has(target)
  return {
    candidateRelationships: chosen.map(({ id }) => id),
    leavingCommunity: chosen.filter((one) => !isInner(one)).map(({ id }) => id),
    relationships: made.relationships.map(({ id }) => id),
    entities: made.entities.map(({ id }) => id),
    tokens: made.tokens,
    overBudget: made.tokens > contextTokens,
    innerRelationships: relationships.filter(isInner).length,
    contextSha256: sha256(made.text),
  }
}
