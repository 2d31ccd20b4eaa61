import { valueOf } from '../../basics/collections.ts'
import { mulberry32, shuffle } from '../../math/random.ts'
import { listPoints, rateReport } from '../../tasks/graphrag-search.ts'
import type { Passage } from '../../types.ts'
import { ModelError } from '../../errors.ts'
import { attempt, refuseAllLost, runEach } from '../shared/attempt.ts'
import { addTrace } from '../shared/add-trace.ts'
import { nodeIds } from './drawing.ts'
import { chunksOf, communityUnits, contextTokens, lossesOf, type Search, type Visible } from './search.ts'
import { type Community, type Count, plainRow, pythonFloat, quotedRow, type Report } from './tables.ts'

/** Tokens of the reports of one map call, words of its points, and the seed of their order (release 3.1.2). */
const mapStep = { tokens: 12000, words: 1000, shuffleSeed: 86 }

/**
 * Global search (section 3): a model lists points in every batch of reports, and the best of them, as many as the
 * tokens hold, are one passage, as the reduce step reads them. No point above 0, no passage. A batch whose reply is of
 * no use counts as an empty point and a report whose rating is as one of rating 0, and the first passage says so;
 * throws ModelError where all batches, or all ratings, are.
 */
export async function global(search: Search): Promise<readonly Passage[]> {
  const { text, budget, models, index, visible, options, count } = search
  const { reports, unrated } = options.dynamicSelection ? await relevant(search) : { ...visible, unrated: 0 }
  const shuffled = shuffle(reports, mulberry32(mapStep.shuffleSeed))
  const batches = globalBatches(shuffled, occurrenceWeights(visible), mapStep.tokens, count)
  const inputs = batches.map((batch) => ({ question: text, reports: batch.text, words: mapStep.words }))
  const replies = await runEach(models, listPoints, inputs)
  const points = replies.map((reply) => (reply === undefined ? emptyPoints : pointsOf(reply)))
  const lost = replies.filter((reply) => reply === undefined).length
  const { kept, text: context } = reducePoints(points, Math.min(contextTokens, budget.tokens), count)
  const [best] = kept
  if (!best) return []
  const sources = [...new Set(kept.map(({ batch }) => batch))].flatMap((batch) => batches[batch]?.reports ?? [])
  const units = sources.flatMap(({ community }) => communityUnits(index, community))
  const why = {
    points: kept.length,
    scores: kept.map(({ score }) => score),
    nodes: sources.map(({ community }) => nodeIds.community(community)),
    batches: batches.length,
  }
  return addTrace(
    [{ text: context, score: best.score, from: chunksOf(index, units), kind: 'summary', why }],
    [lossesOf('global', { 'ratings of reports': unrated, 'batches of reports': lost })],
  )
}

/** The reports that a model finds relevant, from the top down, and how many ratings were lost: these count 0. */
async function relevant({ text, models, index, visible, options }: Search) {
  const byCommunity = new Map(visible.reports.map((report) => [report.community, report]))
  const outcomes: (number | ModelError)[] = []
  const rate = async (community: number): Promise<number> => {
    const report = valueOf(byCommunity, community).fullContent
    const outcome = await attempt(models, rateReport, { question: text, report })
    outcomes.push(outcome)
    return outcome instanceof ModelError ? 0 : outcome
  }
  const deepest = options.communityLevel ?? Infinity
  const selected = await selectCommunities(index.communities, new Set(byCommunity.keys()), rate, deepest)
  refuseAllLost(rateReport, outcomes)
  return {
    reports: visible.reports.filter(({ community }) => selected.has(community)),
    unrated: outcomes.filter((outcome) => outcome instanceof ModelError).length,
  }
}

/** The least rating of a relevant report, of 5 (release 3.1.2). */
const leastRating = 1

/** The communities that a rating finds relevant (section 3), from the top; children where their parent is relevant. */
export async function selectCommunities(
  communities: readonly Community[],
  reported: ReadonlySet<number>,
  rate: (community: number) => Promise<number>,
  maxLevel: number,
): Promise<ReadonlySet<number>> {
  const withReport = new Map(communities.flatMap((row) => (reported.has(row.id) ? [[row.id, row] as const] : [])))
  const ofLevel = (level: number) => [...withReport.values()].filter((row) => row.level === level)
  const relevant = new Set<number>()
  let queue = ofLevel(0)
  for (let level = 1; queue.length > 0; level++) {
    const ratings = await Promise.all(queue.map(({ id }) => rate(id)))
    const chosen = queue.filter((_, place) => (ratings[place] ?? 0) >= leastRating)
    for (const { id, parent } of chosen) {
      relevant.add(id)
      // a report gives way to relevant ones of its sub-communities
      relevant.delete(parent)
    }
    queue = [...new Set(chosen.flatMap(({ children }) => children))].flatMap((id) => withReport.get(id) ?? [])
    if (queue.length === 0 && relevant.size === 0 && level <= maxLevel) queue = ofLevel(level)
  }
  return relevant
}

/** The distinct text units of each community's entities, as a share of the most that any reported community has. */
export function occurrenceWeights({ entities, reports, communitiesOf }: Visible): ReadonlyMap<number, number> {
  const units = new Map(reports.map(({ community }) => [community, new Set<number>()]))
  for (const { id, textUnitIds } of entities)
    for (const community of communitiesOf.get(id) ?? []) for (const unit of textUnitIds) units.get(community)?.add(unit)
  const most = [...units.values()].reduce((largest, { size }) => Math.max(largest, size), 1)
  return new Map([...units].map(([community, { size }]) => [community, size / most]))
}

/**
 * Reports in the order given, packed into batches of so many tokens (section 3), one for each map call; each batch is
 * sorted by weight, then rank. One that is too long by itself makes a batch of its own. The name of the table is
 * counted and not written, as in the reference.
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
  const start = count(`-----Reports-----\n${head}`)
  const packed: { reports: Report[]; tokens: number }[] = []
  for (const report of reports) {
    const cost = count(plainRow(fields(report)))
    const last = packed.at(-1)
    if (last && last.tokens + cost <= tokens) {
      last.reports.push(report)
      last.tokens += cost
    } else packed.push({ reports: [report], tokens: start + cost })
  }
  return packed.map((batch) => {
    const sorted = batch.reports.toSorted((a, b) => weightOf(b) - weightOf(a) || b.rank - a.rank)
    const text = head + sorted.map((report) => quotedRow(fields(report), '|')).join('')
    return { reports: sorted, text, tokens: count(text) }
  })
}

/** What a map call says: a point and how much it helps, from 0 to 100. */
interface Point {
  readonly answer: string
  readonly score: number
}

/** What stands for a reply without a point. */
export const emptyPoints: readonly Point[] = [{ answer: '', score: 0 }]

/**
 * The points of a reply (section 3): no list, or an empty one, is one empty point of score 0; items without text or
 * score are left out; scores are cut to whole numbers, and one that is no number loses all points.
 */
export function pointsOf(reply: unknown): readonly Point[] {
  const { points } = Object(reply) as { readonly points?: unknown }
  if (!Array.isArray(points) || points.length === 0) return emptyPoints
  const read = (points as readonly unknown[]).flatMap((item) => {
    const { description, score } = Object(item) as { readonly description?: unknown; readonly score?: unknown }
    if (description === undefined || score === undefined) return []
    const answer = typeof description === 'string' ? description : JSON.stringify(description)
    return { answer, score: typeof score === 'string' && score.trim() === '' ? NaN : Math.trunc(Number(score)) }
  })
  return read.every(({ score }) => Number.isFinite(score)) ? read : []
}

/** The points of all batches that score above 0, best first, until one does not fit. */
export function reducePoints(batches: readonly (readonly Point[])[], tokens: number, count: Count) {
  const ranked = batches
    .flatMap((points, batch) => points.map((point) => ({ ...point, batch })))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
  const texts: string[] = []
  let spent = 0
  for (const { batch, score, answer } of ranked) {
    const text = `----Analyst ${batch + 1}----\nImportance Score: ${score}\n${answer}`
    const cost = count(text)
    if (spent + cost > tokens) break
    spent += cost
    texts.push(text)
  }
  const text = texts.join('\n\n')
  return { kept: ranked.slice(0, texts.length), text, tokens: count(text) }
}
