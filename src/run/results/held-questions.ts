import type { Manifest, MethodRecord, SyntheticRecord } from '../../records.ts'
import { syntheticRecord } from '../prepare/survey.ts'
import { readTrials } from './read-lines.ts'

/** How much is asked: questions, the corpora and documents that they are asked of, and how often each. */
export interface Asked {
  readonly corpora: number
  readonly documents: number
  readonly questions: number
  readonly repeats: number
  readonly synthetic?: SyntheticRecord
}

/** What a config asks, or what the rows of a results folder hold already where that is more: a limit or fewer repeats take nothing away. */
export async function heldQuestions(
  folder: string,
  before: Manifest | undefined,
  rows: readonly MethodRecord[],
  { corpora, documents, questions, repeats, synthetic }: Asked,
): Promise<Asked> {
  const now = { corpora, documents, questions, repeats, ...(synthetic && { synthetic }) }
  if (!before || (before.dataset.questions <= questions && before.repeats <= repeats)) return now
  const ids = new Set(rows.map(({ id }) => id))
  const held = { corpora: new Map<string, number>(), questions: new Map<string, string | undefined>(), repeats: 0 }
  for await (const line of readTrials(folder)) {
    if (!ids.has(line.methodId)) continue
    if (line.line === 'index') held.corpora.set(line.corpus, line.documents)
    else {
      held.questions.set(line.question.id, line.question.synthetic)
      held.repeats = Math.max(held.repeats, line.repeat + 1)
    }
  }
  const read = [...held.corpora.values()].reduce((sum, count) => sum + count, 0)
  return {
    corpora: Math.max(corpora, held.corpora.size),
    documents: Math.max(documents, read),
    questions: Math.max(questions, held.questions.size),
    repeats: Math.max(repeats, held.repeats),
    ...(held.questions.size > questions
      ? syntheticRecord([...held.questions.values()].flatMap((by) => by ?? []))
      : synthetic && { synthetic }),
  }
}
