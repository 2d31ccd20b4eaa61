import type { IndexLine, ScoreLine, TrialLine } from '../records.ts'
import { openResults } from '../run/index.ts'

/** All lines of a results folder. */
export async function readResults(folder: string) {
  const results = await openResults(folder, '')
  const lines: (IndexLine | TrialLine)[] = []
  for await (const line of results.trials()) lines.push(line)
  const scores: ScoreLine[] = []
  for await (const line of results.scores()) scores.push(line)
  const indexes = lines.filter((line) => line.line === 'index')
  const trials = lines.filter((line) => line.line === 'trial')
  return { manifest: results.manifest, lines, indexes, trials, scores }
}
