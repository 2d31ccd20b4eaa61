import type { IndexLine, PassageText, ScoreLine, ScorerRecord, StoredLine, TrialLine } from '../../records.ts'
import { files, openJournal, orderLines, readJournal, type Journal } from './journal.ts'
import { digestOfText } from './read-lines.ts'

/** Opens trials.jsonl and passages.jsonl of a folder for appending; the texts of a trial are there before its line. */
export async function openTrials(folder: string): Promise<Journal<IndexLine | TrialLine>> {
  const { trials, passages } = files(folder)
  const known = new Set<string>()
  const texts = await openJournal<PassageText>(passages)
  for await (const { value } of readJournal(passages)) known.add((value as PassageText).digest)
  const lines = await openJournal<StoredLine>(trials)
  return {
    append(line) {
      if (line.line === 'index') {
        lines.append(line)
        return
      }
      const context = line.context.map(({ text, ...rest }) => {
        const digest = digestOfText(text)
        if (!known.has(digest)) texts.append({ digest, text })
        known.add(digest)
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
 * Puts trials.jsonl in the order of ranks, lines without one last, and passages.jsonl in that of their first use.
 * `visit` is called with each line in that order.
 */
export async function orderTrials(
  folder: string,
  rankOf: (line: StoredLine) => number | undefined,
  visit: (line: StoredLine) => void = () => undefined,
): Promise<void> {
  const { trials, passages } = files(folder)
  const used = new Map<string, number>()
  await orderLines<StoredLine>(trials, {
    keyOf: ({ id }) => id,
    rankOf,
    visit(line) {
      visit(line)
      if (line.line === 'index') return
      for (const { digest } of line.context) if (!used.has(digest)) used.set(digest, used.size)
    },
  })
  await orderLines<PassageText>(passages, {
    keyOf: ({ digest }) => digest,
    rankOf: ({ digest }) => used.get(digest),
    dropsUnranked: true,
  })
}

/** More judge runs than any run makes, so that ranks of two scorers never overlap. */
const mostRuns = 1e6

/** Puts scores in the order of the trials, scorers and judge runs, one line each. `places`: those of the trials. */
export async function orderScores(
  scores: string,
  places: ReadonlyMap<string, number>,
  scorers: readonly Pick<ScorerRecord, 'id'>[],
): Promise<void> {
  const columns = new Map(scorers.map(({ id }, column) => [id, column]))
  await orderLines<ScoreLine>(scores, {
    keyOf: ({ trial, scorerId, run }) => `${trial} ${scorerId} ${run}`,
    rankOf({ trial, scorerId, run }) {
      const [place, column] = [places.get(trial), columns.get(scorerId)]
      return place === undefined || column === undefined
        ? undefined
        : (place * scorers.length + column) * mostRuns + run
    },
  })
}
