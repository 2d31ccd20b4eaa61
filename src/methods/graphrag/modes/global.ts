import { mulberry32, shuffle } from '../../../math/random.ts'
import { listPoints } from '../../../tasks/graphrag/list-points.ts'
import { rateReport } from '../../../tasks/graphrag/rate-report.ts'
import type { Passage } from '../../../types.ts'
import { ModelError } from '../../../errors.ts'
import { attempt } from '../../shared/attempt.ts'
import { refuseAllLost, runEach } from '../../shared/run-each.ts'
import { selectCommunities } from '../query/dynamic-selection.ts'
import { globalBatches, occurrenceWeights } from '../query/global-batches.ts'
import { emptyPoints, pointsOf, reducePoints } from '../query/points.ts'
import { nodeIds } from '../node-ids.ts'
import { chunksOf, type Asked } from './asked.ts'
import { lossesOf, withFallback } from './fallback.ts'
import { communityUnits } from './local.ts'

/**
 * Global search (section 3): a model lists points in every batch of reports, and the best of them are the passages. No point above 0, no
 * passage. A batch whose reply is of no use counts as an empty point and a report whose rating is as one of rating 0, and the first passage
 * says so; throws ModelError where all batches, or all ratings, are.
 */
export async function global(asked: Asked): Promise<readonly Passage[]> {
  const { text, budget, models, index, visible, options, count } = asked
  const { mapTokens, mapWords: words, shuffleSeed } = options
  const { reports, unrated } = options.dynamicSelection ? await relevant(asked) : { ...visible, unrated: 0 }
  const shuffled = shuffle(reports, mulberry32(shuffleSeed))
  const batches = globalBatches(shuffled, occurrenceWeights(visible), mapTokens, count)
  const replies = await runEach(
    models,
    listPoints,
    batches.map((batch) => ({ question: text, reports: batch.text, words })),
  )
  const points = replies.map((reply) => (reply === undefined ? emptyPoints : pointsOf(reply)))
  const lost = replies.filter((reply) => reply === undefined).length
  const { kept } = reducePoints(points, Math.min(options.contextTokens, budget.tokens), count)
  const units = batches.map((batch) => batch.reports.flatMap(({ community }) => communityUnits(index, community)))
  const passages = kept.slice(0, budget.passages).map(({ answer, score, batch }, place): Passage => ({
    text: answer,
    score,
    from: chunksOf(index, units[batch] ?? []),
    kind: 'summary',
    why: {
      batch,
      score,
      nodes: batches[batch]?.reports.map(({ community }) => nodeIds.community(community)) ?? [],
      ...(place === 0 && { batches: batches.length }),
    },
  }))
  return withFallback(passages, lossesOf('global', { 'ratings of reports': unrated, 'batches of reports': lost }))
}

/** The reports that a model finds relevant, from the top down, and how many it gave no rating of use; these are rated 0. */
async function relevant({ text, models, index, visible, options }: Asked) {
  const byCommunity = new Map(visible.reports.map((report) => [report.community, report]))
  const outcomes: (number | ModelError)[] = []
  const rate = async (community: number): Promise<number> => {
    const report = byCommunity.get(community)?.fullContent ?? ''
    const outcome = await attempt(models, rateReport, { question: text, report })
    outcomes.push(outcome)
    return outcome instanceof ModelError ? 0 : outcome
  }
  const { selected } = await selectCommunities(index.communities, new Set(byCommunity.keys()), rate, {
    threshold: options.dynamicThreshold,
    keepParent: options.keepParent,
    maxLevel: options.communityLevel ?? Infinity,
  })
  refuseAllLost(rateReport, outcomes)
  return {
    reports: visible.reports.filter(({ community }) => selected.includes(community)),
    unrated: outcomes.filter((outcome) => outcome instanceof ModelError).length,
  }
}
