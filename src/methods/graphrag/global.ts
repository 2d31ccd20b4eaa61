import { valueOf } from '../../basics/collections.ts'
import { mulberry32, shuffle } from '../../math/random.ts'
import { listPoints, rateReport } from '../../tasks/graphrag-search.ts'
import type { Passage } from '../../types.ts'
import { ModelError } from '../../errors.ts'
import { attempt, refuseAllLost, runEach } from '../shared/attempt.ts'
import { addTrace } from '../shared/add-trace.ts'
import { type Count, fittingRows, packByTokens } from '../shared/fitting.ts'
import { nodeIds } from './drawing.ts'
import { chunksOf, communityUnits, contextTokens, lossesOf, type Search, type Visible } from './search.ts'
import { type Community, plainRow, pythonFloat, quotedRow, type Report } from './tables.ts'

/** Tokens of the reports of a map call, words of its reply, and the seed of the shuffle (release 3.1.2). */
const mapStep = { tokens: 12000, words: 1000, shuffleSeed: 86 }

/**
 * Global search (section 3): a model lists points in every batch of reports; the best of them, as many as fit, are one
 * passage in the form that the reduce step reads. No point above 0, no passage. A lost batch counts as an empty point,
 * a lost rating as 0; the trace names both. Throws ModelError if all batches, or all ratings, are lost.
 */
export async function global(search: Search): Promise<readonly Passage[]> {
  const { text, budget, models, index, visible, options, count } = search
  const { reports, lostRatings } = options.dynamicSelection
    ? await relevantReports(search)
    : { ...visible, lostRatings: 0 }
  const reportOrder = shuffle(reports, mulberry32(mapStep.shuffleSeed))
  const batches = globalBatches(reportOrder, occurrenceWeights(visible), mapStep.tokens, count)
  const replies = await runEach(models, listPoints, batches, (batch) => ({
    question: text,
    reports: batch.text,
    words: mapStep.words,
  }))
  const points = replies.map((reply) => (reply === undefined ? emptyPoints : pointsOf(reply)))
  const lostBatches = replies.filter((reply) => reply === undefined).length
  const { points: bestPoints, text: context } = reducePoints(points, Math.min(contextTokens, budget.tokens), count)
  const [bestPoint] = bestPoints
  if (!bestPoint) return []
  const sourceBatches = new Set(bestPoints.map(({ batch }) => batch))
  const sources = [...sourceBatches].flatMap((batch) => batches[batch]?.reports ?? [])
  const units = sources.flatMap(({ community }) => communityUnits(index, community))
  const why = {
    points: bestPoints.length,
    scores: bestPoints.map(({ score }) => score),
    nodes: sources.map(({ community }) => nodeIds.community(community)),
    batches: batches.length,
  }
  return addTrace(
    [{ text: context, score: bestPoint.score, from: chunksOf(index, units), kind: 'summary', why }],
    [lossesOf('global', { 'ratings of reports': lostRatings, 'batches of reports': lostBatches })],
  )
}

/** The reports that a model rates as relevant, top down; a lost rating counts 0. */
async function relevantReports({ text, models, index, visible, options }: Search) {
  const byCommunity = new Map(visible.reports.map((report) => [report.community, report]))
  const outcomes: (number | ModelError)[] = []
  const rate = async (community: number): Promise<number> => {
    const report = valueOf(byCommunity, community).fullContent
    const outcome = await attempt(models, rateReport, { question: text, report })
    outcomes.push(outcome)
    return outcome instanceof ModelError ? 0 : outcome
  }
  const deepest = options.communityLevel ?? Infinity
  const relevantIds = await selectCommunities(index.communities, new Set(byCommunity.keys()), rate, deepest)
  refuseAllLost(rateReport, outcomes)
  return {
    reports: visible.reports.filter(({ community }) => relevantIds.has(community)),
    lostRatings: outcomes.filter((outcome) => outcome instanceof ModelError).length,
  }
}

/** The least rating of a relevant report, of 5 (release 3.1.2). */
const minRating = 1

/** Communities rated as relevant (section 3), top down; children are rated if their parent is relevant. */
export async function selectCommunities(
  communities: readonly Community[],
  idsWithReport: ReadonlySet<number>,
  rate: (community: number) => Promise<number>,
  maxLevel: number,
): Promise<ReadonlySet<number>> {
  const rows = communities.filter(({ id }) => idsWithReport.has(id))
  const withReport = new Map(rows.map((row) => [row.id, row]))
  const ofLevel = (level: number) => [...withReport.values()].filter((row) => row.level === level)
  const relevant = new Set<number>()
  let queue = ofLevel(0)
  for (let level = 1; queue.length > 0; level++) {
    const ratings = await Promise.all(queue.map(({ id }) => rate(id)))
    const matches = queue.filter((_, place) => (ratings[place] ?? 0) >= minRating)
    for (const { id, parent } of matches) {
      relevant.add(id)
      // relevant sub-communities replace their parent
      relevant.delete(parent)
    }
    const childIds = new Set(matches.flatMap(({ children }) => children))
    queue = [...childIds].flatMap((id) => withReport.get(id) ?? [])
    const hasNoMatch = queue.length === 0 && relevant.size === 0
    if (hasNoMatch && level <= maxLevel) queue = ofLevel(level)
  }
  return relevant
}

/** Distinct text units of each community's entities, divided by the largest such count. */
export function occurrenceWeights({ entities, reports, communitiesOf }: Visible): ReadonlyMap<number, number> {
  const units = new Map(reports.map(({ community }) => [community, new Set<number>()]))
  for (const { id, textUnitIds } of entities)
    for (const community of communitiesOf.get(id) ?? []) for (const unit of textUnitIds) units.get(community)?.add(unit)
  const most = [...units.values()].reduce((largest, { size }) => Math.max(largest, size), 1)
  return new Map([...units].map(([community, { size }]) => [community, size / most]))
}

/**
 * Packs reports in order into batches of at most `tokens` (section 3); each batch is sorted by weight, then rank. The
 * table's name is counted but not written, as in the reference.
 */
export function globalBatches(
  reports: readonly Report[],
  weights: ReadonlyMap<number, number>,
  tokens: number,
  count: Count,
) {
  const head = plainRow(['id', 'title', 'occurrence weight', 'content', 'rank'])
  const weightOf = ({ community }: Report) => valueOf(weights, community)
  const fields = (report: Report) => {
    const { community, title, fullContent, rank } = report
    return [community, title, pythonFloat(weightOf(report)), fullContent, pythonFloat(rank)]
  }
  const room = tokens - count(`-----Reports-----\n${head}`)
  const tokensOf = (report: Report) => count(plainRow(fields(report)))
  return packByTokens(reports, tokensOf, room).map((batch) => {
    const ranking = batch.toSorted((a, b) => weightOf(b) - weightOf(a) || b.rank - a.rank)
    const rows = ranking.map((report) => quotedRow(fields(report), '|'))
    const text = head + rows.join('')
    return { reports: ranking, text, tokens: count(text) }
  })
}

/** A point of a map call, with its importance from 0 to 100. */
interface Point {
  readonly answer: string
  readonly score: number
}

/** Replaces a reply without points. */
export const emptyPoints: readonly Point[] = [{ answer: '', score: 0 }]

/**
 * Parses the points of a reply (section 3). A missing or empty list is one empty point of score 0. Items without text
 * or score are skipped. Scores are truncated to integers; one that is not a number loses all points.
 */
export function pointsOf(reply: unknown): readonly Point[] {
  const { points } = Object(reply) as { readonly points?: unknown }
  if (!Array.isArray(points) || points.length === 0) return emptyPoints
  const read = (points as readonly unknown[]).flatMap((item) => {
    const { description, score } = Object(item) as { readonly description?: unknown; readonly score?: unknown }
    if (description === undefined || score === undefined) return []
    const answer = typeof description === 'string' ? description : JSON.stringify(description)
    const isBlank = typeof score === 'string' && score.trim() === ''
    return { answer, score: isBlank ? NaN : Math.trunc(Number(score)) }
  })
  return read.every(({ score }) => Number.isFinite(score)) ? read : []
}

/** The points of all batches with a score above 0, best first, until one exceeds `tokens`. */
export function reducePoints(batches: readonly (readonly Point[])[], tokens: number, count: Count) {
  const ranking = batches
    .flatMap((points, batch) => points.map((point) => ({ ...point, batch })))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
  const textOf = ({ batch, score, answer }: (typeof ranking)[number]): string =>
    `----Analyst ${batch + 1}----\nImportance Score: ${score}\n${answer}`
  const { items } = fittingRows('', ranking, textOf, tokens, count)
  const text = items.map(textOf).join('\n\n')
  return { points: items, text, tokens: count(text) }
}
