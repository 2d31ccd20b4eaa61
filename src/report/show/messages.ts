import { countEach } from '../../basics/collections.ts'
import type { Stop } from '../../records.ts'
import type { ContextPassage, Question, Reference, Trace } from '../../types.ts'
import { present } from '../../text/amounts.ts'
import type { ShownScore, ShownTrial } from './read-questions.ts'

/** A title and the lines next to it. */
export type TitledLines = readonly [title: string, lines: readonly string[]]

/** The question, its reference answer and its evidence. */
export function describeQuestion({
  text,
  searchText,
  reference,
  evidence,
  history = [],
  tags = [],
  cluster,
  synthetic,
}: Question): readonly TitledLines[] {
  const options = reference.kind === 'choice' ? reference.options.map((option, index) => `${index + 1}. ${option}`) : []
  return present<TitledLines>(
    history.length > 0 && [['before', history.map((turn) => `${turn.speaker}: ${turn.text}`)]],
    [['question', [text]]],
    searchText !== undefined && [['searched by', [searchText]]],
    options.length > 0 && [['options', options]],
    [['right', rightAnswers(reference)]],
    [['evidence', evidenceLines(evidence)]],
    tags.length > 0 && [['tags', [tags.join(', ')]]],
    cluster !== undefined && [['cluster', [cluster]]],
    synthetic !== undefined && [['synthetic', [`drafted by ${synthetic} from the documents`]]],
  )
}

function evidenceLines(evidence: Question['evidence']) {
  if (evidence === undefined) return ['none is named']
  if (evidence.length === 0) return ['nothing supports an answer']
  return evidence.map(({ documentId, text = 'the whole document', missing }) =>
    missing ? `in no document: ${text}` : `${documentId}: ${text}`,
  )
}

/** All accepted answers, or a line that says there are none. */
export function rightAnswers(reference: Reference): readonly string[] {
  if (reference.kind === 'choice') return [`${reference.correct + 1}. ${reference.options[reference.correct] ?? ''}`]
  if (reference.kind === 'turn') return [reference.accepted]
  const accepted = reference.accepted.map((answer) => (typeof answer === 'string' ? answer : answer.text))
  return accepted.length > 0 ? [...new Set(accepted)] : ['no right answer is known']
}

/** Why a context is empty. Passages are never skipped, so a first passage that is too long leaves none. */
export const whyEmpty = (stopped: Stop): string =>
  stopped === 'end' ? 'no context was found' : 'the first passage did not fit the budget'

export const fixedAnswer = (stopped: Stop): string => `fixed answer without a model call: ${whyEmpty(stopped)}`

/** The answer or failure, and the scores. */
export const describeTrial = (trial: ShownTrial): readonly TitledLines[] =>
  present<TitledLines>(
    [[trial.answer ? 'answer' : 'failed', [describeOutcome(trial)]]],
    trial.failure?.raw !== undefined && [['reply', [trial.failure.raw]]],
    trial.scores.length > 0 && [['scores', trial.scores.map(describeScore)]],
  )

/** The answer with its option, whose text is in `reference`, or the failure. */
export function describeOutcome(
  { answer, failure, stopped }: Pick<ShownTrial, 'answer' | 'failure' | 'stopped'>,
  reference?: Reference,
): string {
  if (!answer) return `${failure?.phase ?? ''}: ${failure?.message ?? ''}`
  const { text, choice, canned } = answer
  const option = reference?.kind === 'choice' && choice != null ? `: ${reference.options[choice] ?? ''}` : ''
  return present(
    text === '' ? 'an empty answer' : text,
    choice !== undefined && (choice === null ? '(no option could be read)' : `(option ${choice + 1}${option})`),
    canned && `(${fixedAnswer(stopped)})`,
  ).join(' ')
}

const describeScore = (score: ShownScore) =>
  `${scoreName(score)}: ${scoreText(score)}${score.parts ? `; ${JSON.stringify(score.parts)}` : ''}`

export const scoreName = ({ scorer, run }: ShownScore): string => (run === 0 ? scorer : `${scorer}, run ${run + 1}`)

/** The values by metric, or why there is none. */
export function scoreText({ metrics = {}, skipped, failure }: ShownScore): string {
  if (failure) return `failed: ${failure.message}`
  if (skipped !== undefined) return `not scored: ${skipped}`
  return Object.entries(metrics)
    .map(([metric, value]) => `${metric} ${formatScore(value)}`)
    .join(', ')
}

export const formatScore = (value: number): string => String(Number(value.toFixed(3)))

/** Groups equal texts: `right (4 of 5)`; a single text has no count. */
export const countTexts = (texts: readonly string[]): readonly string[] =>
  Array.from(countEach(texts), ([text, count]) => (texts.length > 1 ? `${text} (${count} of ${texts.length})` : text))

/** A passage wherever it stands in its documents. */
export type PassageLine = Omit<ContextPassage, 'spans'>

/** Source, score, tokens and evidence of a passage. */
export function describePassage({ kind, documents, score, tokens, evidence }: PassageLine): string {
  const source = `${kind === 'chunk' ? '' : `${kind} of `}${documents.join(', ')}`
  const parts = [source, `score ${score.toPrecision(4)}`, `${tokens} tokens`, holdsEvidence(evidence)]
  return parts.filter(Boolean).join('  ')
}

/** A method's trace as lines: `rank in bm25: 1`, `asked: who built the mill`. */
export const describeTrace = (why: Trace): readonly string[] =>
  Object.entries(why).map(([name, value]) => `${name}: ${formatTraceValue(value)}`)

const formatTraceValue = (value: Trace[string]): string =>
  typeof value === 'number' && !Number.isInteger(value)
    ? value.toPrecision(4)
    : Array.isArray(value)
      ? value
          .map((item) => formatTraceValue(item as string | number))
          .join(value.some((item) => /\s/.test(String(item))) ? ' | ' : ' ')
      : String(value)

/** Evidence in a passage, counted from 1: `holds evidence 2`; empty if none. */
const holdsEvidence = (evidence: readonly number[] = []): string =>
  evidence.length > 0 ? `holds ${evidence.map((index) => `evidence ${index + 1}`).join(', ')}` : ''
