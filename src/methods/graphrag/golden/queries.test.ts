import { basicContext, visibleAt } from '../search.ts'
import { selectCommunities, globalBatches, occurrenceWeights, emptyPoints, pointsOf, reducePoints } from '../global.ts'
import { relationshipsByTitle } from '../tables.ts'
import { highestDegree, localBudgets, localContext } from '../local.ts'
import { byTokens, tokenizer as tokenizerOf, type TokenizerName } from '../../../text/tokens.ts'
import { parseLenient } from '../../../text/json.ts'
import { attempt, notOurs, replayGolden, type Replay } from '../../../test-support/golden.ts'
import { counter, rowsOf, sha256, tablesOf } from '../../../test-support/graphrag-index/tables.ts'
import { toyEmbedding } from '../../../test-support/toy-embedding.ts'

/** Contexts of local, global and basic search. */
replayGolden({
  'graphrag.toy_embedding': ({ texts }: { texts: readonly string[] }) =>
    texts.map(toyEmbedding).map((vector) => ({
      first8: [...vector.slice(0, 8)],
      norm: Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0)),
      sum: vector.reduce((sum, value) => sum + value, 0),
    })),
  'graphrag.budgets': (cases: readonly { contextTokens: number; communityShare: number; textShare: number }[]) =>
    cases.map(({ contextTokens, ...shares }) => attempt(() => localBudgets(contextTokens, shares))),
  'graphrag.chunks': chunks,
  'graphrag.level_filter': levelFilter,
  'graphrag.local_context': offered(['includeTitles', 'excludeTitles'], local),
  'graphrag.global_batches': offered(['content'], batches),
  'graphrag.basic_context': basic,
  'graphrag.map_reduce': mapReduce,
  'graphrag.dynamic_selection': offered(['keepParent'], dynamic),
})

/** A case that names a setting of the reference which gembench does not offer is not ours. */
function offered(settings: readonly string[], adapter: (given: never) => unknown): Replay {
  const isUsual = (value: unknown): boolean => value === false || value === 'fullContent'
  return (given: never) => {
    const fields = Object.entries<unknown>(given)
    return fields.some(([name, value]) => settings.includes(name) && !isUsual(value)) ? notOurs : adapter(given)
  }
}

interface Asked {
  readonly index: string
  readonly query: string
  readonly tokenizer: TokenizerName
  readonly communityLevel: number | null
  readonly contextTokens: number
}

interface Local extends Asked {
  readonly communityShare: number
  readonly textShare: number
  readonly topEntities: number
  readonly topRelationships: number
}

async function local({ index, query, tokenizer, communityLevel, topEntities, ...rest }: Local) {
  const tables = await tablesOf(index)
  const visible = visibleAt(tables, communityLevel)
  const texts = tables.entities.map(({ title, description }) => `${title}:${description}`)
  // twice as many are fetched, and none is cut
  const places = query === '' ? [] : nearest(query, texts, 2 * topEntities)
  const hits = places.flatMap((place) => tables.entities[place]?.id ?? [])
  const selected = query === '' ? highestDegree(visible, topEntities) : hits.flatMap((id) => visible.byId.get(id) ?? [])
  const byTitle = relationshipsByTitle(tables.relationships)
  const found = localContext({ ...tables, visible, byTitle }, selected, rest, counter(tokenizer))
  const ids = (items: readonly { readonly id: number }[]) => items.map(({ id }) => id)
  const tokens = {
    reports: found.reports.tokens,
    entities: found.entities.tokens,
    relationships: found.relationships.tokens,
    textUnits: found.textUnits.tokens,
  }
  const rankedReports = found.rankedReports.map(({ report: { community, rank }, matches }) => ({
    community,
    matches,
    rank,
  }))
  return {
    hits,
    selected: ids(selected),
    rankedReports,
    tiedReports: notOurs,
    reports: found.reports.items.map(({ community }) => community),
    entities: ids(found.entities.items),
    relationships: found.relationships.items.map(({ relationship: { id } }) => id),
    relationshipSteps: found.steps,
    rankedTextUnits: ids(found.rankedTextUnits),
    textUnits: ids(found.textUnits.items),
    budgets: localBudgets(rest.contextTokens, rest),
    tokens: { ...tokens, total: Object.values(tokens).reduce((sum, value) => sum + value, 0) },
    contextSha256: sha256(found.text),
    contextText: found.text,
  }
}

interface Batches extends Asked {
  readonly order: readonly number[]
  readonly minRank: number
}

async function batches({ index, communityLevel, contextTokens, tokenizer, minRank, order }: Batches) {
  const visible = visibleAt(await tablesOf(index), communityLevel)
  const weights = occurrenceWeights(visible)
  const shown = order.flatMap((community) => visible.reports.filter((report) => report.community === community))
  const kept = shown.filter(({ rank }) => rank >= minRank)
  const made = globalBatches(kept, weights, contextTokens, counter(tokenizer))
  const [first] = made
  return {
    header: first?.text.split('\n')[0]?.split('|') ?? [],
    weights: Object.fromEntries(weights),
    batches: made.map(({ reports }) => reports.map(({ community }) => community)),
    tokens: made.map(({ tokens }) => tokens),
    batchSha256: made.map(({ text }) => sha256(text)),
  }
}

async function basic({ index, query, topK, contextTokens, tokenizer }: Asked & { topK: number }) {
  const { textUnits } = await tablesOf(index)
  const hits =
    query === ''
      ? []
      : nearest(
          query,
          textUnits.map(({ text }) => text),
          topK,
        )
  const found = basicContext(textUnits, new Set(hits), contextTokens, counter(tokenizer))
  return { hits, textUnits: found.items.map(({ id }) => id), tokens: found.tokens, contextSha256: sha256(found.text) }
}

interface Replies {
  readonly replies: readonly (string | null)[]
  readonly dataTokens: number
  readonly tokenizer: TokenizerName
}

function mapReduce({ replies, dataTokens, tokenizer }: Replies) {
  const points = replies.map((reply) => {
    const read = reply === null ? undefined : parseLenient(reply, 'object')
    return read === undefined || read.outcome === 'failed' ? emptyPoints : pointsOf(read.value)
  })
  const { points: kept, text, tokens } = reducePoints(points, dataTokens, counter(tokenizer))
  const any = points.flat().some(({ score }) => score > 0)
  return {
    points,
    kept: kept.map(({ batch, score }) => ({ batch, score })),
    reduceText: text,
    reduceTokens: tokens,
    reduceCalled: any,
    canned: !any,
    llmCalls: replies.length + Number(any),
  }
}

interface Ratings {
  readonly index: string
  readonly ratings: Readonly<Record<string, number>>
  readonly defaultRating: number
  readonly maxLevel: number
}

async function dynamic({ index, ratings, defaultRating, maxLevel }: Ratings) {
  const { communities, reports } = await tablesOf(index)
  const reported = new Set(reports.map(({ community }) => community))
  const rated: number[] = []
  const rate = async (community: number) => {
    rated.push(community)
    return ratings[community] ?? defaultRating
  }
  const selected = await selectCommunities(communities, reported, rate, maxLevel)
  return { rated, selected: [...selected].sort((a, b) => a - b), llmCalls: rated.length }
}

async function levelFilter({ index, communityLevel }: { index: string; communityLevel: number | null }) {
  const tables = await tablesOf(index)
  const { entities, reports, communitiesOf } = visibleAt(tables, communityLevel)
  return {
    entities: entities.map(({ id }) => id),
    missingEntities: tables.entities.filter((entity) => !entities.includes(entity)).map(({ id }) => id),
    communitiesOfEntity: Object.fromEntries(communitiesOf),
    reports: reports.map(({ community }) => community),
  }
}

interface Cut {
  readonly index: string
  readonly document: number
  readonly size: number
  readonly overlap: number
  readonly tokenizer: TokenizerName
}

async function chunks({ index, document, size, overlap, tokenizer }: Cut) {
  const { text = '' } = rowsOf(index, 'documents')[document] ?? {}
  const cut = byTokens(text, { size, overlap }, tokenizerOf(tokenizer)).map(({ start, end }) => text.slice(start, end))
  const published = new Set((await tablesOf(index)).textUnits.map((unit) => unit.text))
  return {
    count: cut.length,
    tokens: cut.map(counter(tokenizer)),
    sha256: cut.map(sha256),
    matchesPublishedTextUnits: cut.filter((one) => published.has(one)).length,
  }
}

/** The places of the texts nearest to a query, best first. */
function nearest(query: string, texts: readonly string[], count: number): readonly number[] {
  const asked = toyEmbedding(query)
  const scores = texts.map((text) =>
    toyEmbedding(text).reduce((sum, value, place) => sum + value * (asked[place] ?? 0), 0),
  )
  return [...scores.keys()].sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0)).slice(0, count)
}
