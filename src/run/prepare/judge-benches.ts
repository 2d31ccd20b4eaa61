import { readFile } from 'node:fs/promises'
import type { Plan } from '../../config/index.ts'
import { messageOf, UserError } from '../../errors.ts'
import type { JudgeBench } from '../../records.ts'
import { judgeBenchForm } from '../results/result-forms.ts'
import type { ScorerEntry } from '../scoring/scorer-entry.ts'

/**
 * What files of `gembench judge bench` say. Throws UserError where one cannot be read, or is of a scorer that the run
 * has not: with other options, of another version, or with another judge.
 */
export function benchesOf(
  files: NonNullable<Plan['judgeBench']>,
  scorers: readonly Pick<ScorerEntry, 'id' | 'label'>[],
): Promise<readonly JudgeBench[]> {
  return Promise.all(
    files.map(async ({ file, at }) => {
      const bench = await readBench(file, at)
      const { scorer, judge } = bench
      if (scorers.some(({ id }) => id === scorer.id)) return bench
      throw new UserError(
        `${at}: judge.bench: ${file} is of the scorer "${scorer.scorer}" (${scorer.use}, version ${scorer.version}) judged by ${[...new Set([judge.provider, judge.model])].join(' ')}; the scorers of this run (${scorers.map(({ label }) => label).join(', ')}) have another judge, version or options: make it again with "gembench judge bench", or remove it`,
      )
    }),
  )
}

async function readBench(file: string, at: string): Promise<JudgeBench> {
  const refused = (why: string, cause?: unknown): UserError =>
    new UserError(`${at}: judge.bench: ${file}: ${why}`, { cause })
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw refused(`cannot be read (${messageOf(error)})`, error)
  })
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw refused(`is no JSON (${messageOf(error)})`, error)
  }
  const read = judgeBenchForm.safeParse(value)
  if (read.success) return read.data as JudgeBench
  const [issue] = read.error.issues
  throw refused(`is no file of "gembench judge bench" (${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''})`)
}
