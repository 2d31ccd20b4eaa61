import type { IndexLine, PassageText, ScoreLine, ScorerRecord, StoredLine, TrialLine } from '../../records.ts'
import { files, openJournal, orderLines, readJournal, type Journal } from './journal.ts'
import { digestOfText, scoreKey } from './read-lines.ts'

/** Opens trials.jsonl and passages.jsonl for appending; the texts of a trial are written before its line. */
export async function openTrials(folder: string): Promise<Journal<IndexLine | TrialLine>> {
  const { trials, passages } = files(folder)
  const storedDigests = new Set<string>()
  const texts = await openJournal<PassageText>(passages)
  for await (const { value } of readJournal(passages)) storedDigests.add((value as PassageText).digest)
  const lines = await openJournal<StoredLine>(trials)
  return {
    append(line) {
      if (line.line === 'index') {
        lines.append(line)
        return
      }
      const context = line.context.map(({ text, ...rest }) => {
        const digest = digestOfText(text)
        if (!storedDigests.has(digest)) texts.append({ digest, text })
        storedDigests.add(digest)
        return { digest, ...rest }
      })
      lines.append({ ...line, context })
    },
    close() {
      lines.close()
      texts.close()
    },
  }
}

/**
 * Sorts trials.jsonl by rank, lines without a rank last, and passages.jsonl by first use.
 * `visit` is called with each line in that order.
 */
export async function orderTrials(
  folder: string,
  rankOf: (line: StoredLine) => number | undefined,
  visit: (line: StoredLine) => void = () => undefined,
): Promise<void> {
  const { trials, passages } = files(folder)
  const rankOfDigest = new Map<string, number>()
  await orderLines<StoredLine>(trials, {
    keyOf: ({ id }) => id,
    rankOf,
    visit(line) {
      visit(line)
      if (line.line === 'index') return
      for (const { digest } of line.context) {
        if (!rankOfDigest.has(digest)) rankOfDigest.set(digest, rankOfDigest.size)
      }
    },
  })
  await orderLines<PassageText>(passages, {
    keyOf: ({ digest }) => digest,
    rankOf: ({ digest }) => rankOfDigest.get(digest),
    dropUnranked: true,
  })
}

/** An upper bound of judge runs, so that ranks of two scorers never overlap. */
const maxRuns = 1e6

/** Sorts scores by trial, scorer and judge run, one line each. `positions`: those of the trials. */
export async function orderScores(
  scores: string,
  positions: ReadonlyMap<string, number>,
  scorers: readonly Pick<ScorerRecord, 'id'>[],
): Promise<void> {
  const columns = new Map(scorers.map(({ id }, column) => [id, column]))
  await orderLines<ScoreLine>(scores, {
    keyOf: scoreKey,
    rankOf({ trial, scorerId, run }) {
      const position = positions.get(trial)
      const column = columns.get(scorerId)
      return position === undefined || column === undefined
        ? undefined
        : (position * scorers.length + column) * maxRuns + run
    },
  })
}
