import type { Manifest, Row } from '../../records.ts'
import { comparePair, type ComparedPair } from './compare-pair.ts'
import { gatherScores } from '../table/gather-scores.ts'
import { gatherTrials } from '../table/gather-trials.ts'
import type { Journals } from '../table/table.ts'

/** Two rows of a run and the score to compare them on; `scorer` is the label of one. */
export interface RowPair {
  readonly first: Row
  readonly second: Row
  readonly scorer: string
  readonly metric: string
  readonly subset: string
}

/** A pair and its test; null where the run has not both rows, or no question has a score of both. */
export interface TestedPair extends RowPair {
  readonly tested: ComparedPair | null
}

/** Tests pairs of rows of a run, each by itself: nothing is corrected for their number. Reads trials and scores once. */
export async function comparePairs(
  manifest: Manifest,
  journals: Pick<Journals, 'trials' | 'scores'>,
  pairs: readonly RowPair[],
): Promise<readonly TestedPair[]> {
  const { failures } = await gatherTrials(manifest, journals.trials())
  const { byQuestion, questions } = await gatherScores(manifest, journals.scores(), failures)
  const idOf = (row: Row): string | undefined =>
    manifest.methods.find(({ method, variant }) => method === row.method && variant === row.variant)?.id
  return pairs.map((pair) => {
    const [first, second] = [idOf(pair.first), idOf(pair.second)]
    const scorer = manifest.scorers.find((one) => one.scorer === pair.scorer)?.id
    if (first === undefined || second === undefined || scorer === undefined) return { ...pair, tested: null }
    const scoresOf = (id: string) => byQuestion(id, scorer, pair.metric, pair.subset)
    const tested = comparePair(scoresOf(first), scoresOf(second), questions, manifest.seed)
    return { ...pair, tested: tested ?? null }
  })
}
