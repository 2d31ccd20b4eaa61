import type { Manifest } from '../../records.ts'
import { plural } from '../../text/amounts.ts'
import type { Budget, ContextPassage, Message, Question } from '../../types.ts'
import { readQuestions, type ShownQuestion, type ShownScore, type ShownTrial } from '../show/read-questions.ts'
import { contextMark, type PartQuestion, type PartTrial } from './page-data.ts'
import type { PageRun, QuestionIds } from './questions.ts'

/** `texts`: include texts of datasets and models. */
export interface PartSettings {
  readonly texts: boolean
  /** The prompt of a question; null if this version's prompt differs from the run's. */
  readonly promptOf: (manifest: Manifest, question: Question, context: string) => readonly Message[] | null
}

/** Details of questions. Reads trials and scores once. */
export async function readParts(
  runs: readonly PageRun[],
  ids: readonly QuestionIds[],
  settings: PartSettings,
): Promise<readonly PartQuestion[]> {
  const questionsOfRuns: ReadonlyMap<string, ShownQuestion>[] = []
  for (const [index, run] of runs.entries()) {
    const questions = await readQuestions(
      run,
      run.manifest.methods,
      ids.flatMap((of) => of[index] ?? []),
    )
    questionsOfRuns.push(new Map(questions.map((question) => [question.question.id, question])))
  }
  return ids.map((of) =>
    combineRuns(
      runs,
      of.map((id, run) => questionsOfRuns[run]?.get(id ?? '')),
      settings,
    ),
  )
}

function combineRuns(
  runs: readonly PageRun[],
  questionOfRuns: readonly (ShownQuestion | undefined)[],
  { texts, promptOf }: PartSettings,
): PartQuestion {
  const first = questionOfRuns.findIndex((view) => view !== undefined)
  const [run, question] = [runs[first], questionOfRuns[first]?.question]
  const messages = (context: string) => (texts && run && question ? promptOf(run.manifest, question, context) : null)
  const [filled, empty] = [messages(contextMark), messages('')]
  return {
    ...(texts && question && { question }),
    prompts: filled && empty ? { filled, empty } : null,
    rows: runs.flatMap(({ manifest }, index) =>
      manifest.methods.map(({ budget = manifest.budget, answers }, row) =>
        (questionOfRuns[index]?.rows[row]?.trials ?? []).map((trial): PartTrial => ({
          ...(texts ? trial : withoutTexts(trial)),
          context: trial.context.map((passage) => pagePassage(passage, texts)),
          ended: contextEnd(trial, budget),
          prompted: answers === undefined && Boolean(trial.answer && !trial.answer.canned),
        })),
      ),
    ),
  }
}

/** Drops fields that only scorers read. */
const pagePassage = (
  { spans: _spans, relevant: _relevant, paragraphs: _paragraphs, why, text, ...passage }: ContextPassage,
  texts: boolean,
): ContextPassage => ({ ...passage, spans: [], text: texts ? text : '', ...(texts && why && { why }) })

/** Drops texts of datasets and models; keeps document ids. */
const withoutTexts = ({ answer, failure, scores, ...trial }: ShownTrial): Omit<ShownTrial, 'context'> => ({
  ...trial,
  ...(answer && { answer: { ...answer, text: '' } }),
  ...withoutMessage(failure),
  scores: scores.map(({ parts: _parts, failure: reason, ...score }) => ({ ...score, ...withoutMessage(reason) })),
})

const withoutMessage = (failure: ShownScore['failure']): Pick<ShownScore, 'failure'> =>
  failure ? { failure: { phase: failure.phase, kind: failure.kind, message: failure.kind } } : {}

function contextEnd({ context, stopped, asked, beyond = [] }: ShownTrial, budget: Budget): string {
  const tokens = context.reduce((sum, passage) => sum + passage.tokens, 0)
  const size = `${plural(context.length, 'passage')}, ${plural(tokens, 'token')}`
  if (stopped === 'tokens')
    return `${size}; cut: the next passage is beyond the limit of tokens (budget ${budget.tokens})`
  // a method asked for more passages than the budget may end its ranking
  if (stopped === 'passages' || beyond.length > 0)
    return `${size}; cut: later passages are beyond the limit of passages (budget ${budget.passages})`
  if (asked !== undefined && context.length >= asked) return `${size}; the method was asked for no more`
  return `${size}; nothing was cut`
}
