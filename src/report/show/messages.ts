import type { Stop } from '../../records.ts'
import type { ContextPassage, Question, Reference, Trace } from '../../types.ts'
import { lettersOf } from '../../text/characters.ts'
import { evidenceRanges } from './evidence-ranges.ts'
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
  return [
    ...(history.length > 0 ? [['before', history.map((turn) => `${turn.speaker}: ${turn.text}`)] as const] : []),
    ['question', [text]],
    ...(searchText === undefined ? [] : [['searched by', [searchText]] as const]),
    ...(options.length > 0 ? [['options', options] as const] : []),
    ['right', rightAnswers(reference)],
    [
      'evidence',
      evidence === undefined
        ? ['none is named']
        : evidence.length === 0
          ? ['nothing supports an answer']
          : evidence.map(({ documentId, text: quote = 'the whole document', missing }) =>
              missing ? `in no document: ${quote}` : `${documentId}: ${quote}`,
            ),
    ],
    ...(tags.length > 0 ? [['tags', [tags.join(', ')]] as const] : []),
    ...(cluster === undefined ? [] : [['cluster', [cluster]] as const]),
    ...(synthetic === undefined ? [] : [['synthetic', [`drafted by ${synthetic} from the documents`]] as const]),
  ]
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
export function describeTrial({ answer, failure, scores, stopped }: ShownTrial): readonly TitledLines[] {
  const choice = answer?.choice
  const option = choice === undefined ? '' : choice === null ? ' (no option could be read)' : ` (option ${choice + 1})`
  const fixedAnswerText = answer?.canned ? ` (${fixedAnswer(stopped)})` : ''
  return [
    answer
      ? ['answer', [`${answer.text === '' ? 'an empty answer' : answer.text}${option}${fixedAnswerText}`]]
      : ['failed', [`${failure?.phase ?? ''}: ${failure?.message ?? ''}`]],
    ...(failure?.raw === undefined ? [] : [['reply', [failure.raw]] as const]),
    ...(scores.length > 0 ? [['scores', scores.map(describeScore)] as const] : []),
  ]
}

function describeScore({ scorer, run, metrics, parts, skipped, failure }: ShownScore): string {
  const name = run === 0 ? scorer : `${scorer}, run ${run + 1}`
  if (failure) return `${name}: failed: ${failure.message}`
  if (skipped !== undefined) return `${name}: not scored: ${skipped}`
  const numbers = Object.entries(metrics ?? {}).map(([metric, value]) => `${metric} ${Number(value.toFixed(3))}`)
  return `${name}: ${numbers.join(', ')}${parts ? `; ${JSON.stringify(parts)}` : ''}`
}

/** Source, score, tokens and evidence of a passage. `pieces`: the evidence of its question. */
export function describePassage(passage: ContextPassage, pieces: Question['evidence'] = []): string {
  const { kind, documents, score, tokens } = passage
  return `${kind === 'chunk' ? '' : `${kind} of `}${documents.join(', ')}  score ${score.toPrecision(4)}  ${tokens} tokens${holdsEvidence(passage, pieces)}`
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

/** Evidence in a passage, counted from 1, with the share that it holds: `  holds half of evidence 2`; empty if none. */
export function holdsEvidence(
  { text, evidence = [] }: Pick<ContextPassage, 'text' | 'evidence'>,
  pieces: Question['evidence'] = [],
): string {
  const parts = evidence.map((index) => `${shareText(text, pieces[index]?.text)}evidence ${index + 1}`)
  return parts.length > 0 ? `  holds ${parts.join(', ')}` : ''
}

/** Empty if all of the quote is there, or if one of the texts is unknown. */
function shareText(passage: string, quote: string | undefined): string {
  if (quote === undefined || passage === '') return ''
  const letters = lettersOf(quote).length
  const coveredCharacters = evidenceRanges(passage, [quote]).reduce(
    (sum, [from, to]) => sum + lettersOf(passage.slice(from, to)).length,
    0,
  )
  const share = letters === 0 ? 1 : coveredCharacters / letters
  if (share > 0.99 || share === 0) return ''
  return share >= 0.4 && share <= 0.6 ? 'half of ' : `${Math.round(100 * share)} % of `
}
