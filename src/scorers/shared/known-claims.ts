import { attributeSentences, verifyClaims } from '../../tasks/claims.ts'
import {
  compareAnswers,
  type Criterion,
  isCriterion,
  judgeAnswer,
  judgeTurn,
  judgeUsefulness,
} from '../../tasks/verdicts.ts'
import { normaliseAnswer } from '../../text/words.ts'
import type { AnyTask, Models, Question, Task } from '../../types.ts'
import { turnInput } from '../choke.ts'
import { referenceText } from './accepted-answers.ts'

/** A judge call with a known verdict, built from the references of a dataset. */
export interface KnownClaim {
  /** Whether the claim is true; for two answers: whether the right one is first. */
  readonly holds: boolean
  /** The judge's verdict, and whether it is right. Throws as the call does. */
  readonly ask: (models: Models) => Promise<{ readonly verdict: string; readonly right: boolean }>
  readonly task: AnyTask
  readonly input: unknown
}

const maxClaims = 10

/**
 * Up to ten true and ten false claims for each task of a judge that can be tested: the reference of a question, and
 * that of another question. For pairwise tasks the reference is the better answer, in either order. Empty without two
 * questions whose references differ.
 */
export function knownClaims(
  tasks: readonly AnyTask[],
  questions: Iterable<Question>,
  [criterion = 'directness']: readonly string[] = [],
): readonly KnownClaim[] {
  const testableTasks = tasks.filter(({ name }) => Object.hasOwn(claimsFor, name))
  if (testableTasks.length === 0) return []
  const pairs = swappedReferences(questions)
  const judgeCriterion = isCriterion(criterion) ? criterion : 'directness'
  const claimsOf = ({ name }: AnyTask) => pairs.flatMap((pair) => claimsFor[name]?.(pair, judgeCriterion) ?? [])
  return testableTasks.flatMap(claimsOf)
}

/** A question with its reference, and the reference of another question, which does not answer it. */
type SwappedReference = ReturnType<typeof swappedReferences>[number]

/** The first ten questions with a usable pair of references. */
function swappedReferences(questions: Iterable<Question>) {
  const byReference = new Map<string, { readonly question: Question; readonly reference: string }>()
  for (const question of questions) {
    const reference = referenceText(question.reference)?.trim() ?? ''
    const normal = normaliseAnswer(reference)
    if (normal === '' || verdictWords.has(normal) || byReference.has(normal)) continue
    byReference.set(normal, { question, reference })
    // some cannot be swapped with each other
    if (byReference.size >= 3 * maxClaims) break
  }
  const all = [...byReference]
  const swaps = all.flatMap(([, { question, reference }], place) => {
    const knowledge = (question.evidence ?? []).flatMap(({ text }) => text ?? [])
    const sourceText = ` ${normaliseAnswer([question.text, reference, ...knowledge].join(' '))} `
    const candidates = [...all.slice(place + 1), ...all.slice(0, place)]
    const match = candidates.find(
      ([normal]) => !sourceText.includes(` ${normal} `) && !` ${normal} `.includes(` ${all[place]?.[0]} `),
    )
    return match ? [{ question, reference, otherReference: match[1].reference }] : []
  })
  return swaps.slice(0, maxClaims)
}

/** References that may be right for another question too. */
const verdictWords = new Set(['yes', 'no', 'true', 'false', 'none', 'unknown', 'unanswerable', 'not sure'])

type Claims = (pair: SwappedReference, criterion: Criterion) => readonly KnownClaim[]

const claimsFor: Readonly<Record<string, Claims>> = {
  [verifyClaims.name]: claims(
    verifyClaims,
    ({ question, reference }, claim) => ({ claims: [claim], context: `${question.text}\n${reference}` }),
    ({ statements: [first] }) => first?.verdict,
  ),
  [attributeSentences.name]: claims(
    attributeSentences,
    ({ question: { text: question }, reference }, sentence) => ({
      question,
      sentences: [sentence],
      context: `${question}\n${reference}`,
    }),
    ({ attributions: [first] }) => first?.attributed,
  ),
  [judgeUsefulness.name]: claims(
    judgeUsefulness,
    ({ question: { text: question }, reference }, answer) => {
      return { question, answer: reference, passage: `${question}\n${answer}` }
    },
    ({ verdict }) => verdict,
  ),
  [judgeAnswer.name]: claims(
    judgeAnswer,
    ({ question, reference }, answer) => ({ question: question.text, accepted: [reference], answer }),
    ({ verdict }) => verdict,
  ),
  [judgeTurn.name]: claims(
    judgeTurn,
    ({ question }, reply) => turnInput(question, reply),
    ({ verdict }) => verdict,
    'correct',
  ),
  [compareAnswers.name]: claims(
    compareAnswers,
    ({ question, reference, otherReference }, first, criterion) => {
      const second = first === reference ? otherReference : reference
      return { question: question.text, criterion, first, second }
    },
    ({ winner }) => winner,
    1,
    2,
  ),
}

/** `yes`, `no`: the verdict on a true claim, and on a false one; by default any other. */
function claims<I, T>(
  task: Task<I, T>,
  inputOf: (pair: SwappedReference, answer: string, criterion: Criterion) => I,
  verdictOf: (reply: T) => string | number | undefined,
  yes: string | number = 1,
  no?: string | number,
): Claims {
  return (pair, criterion) =>
    [true, false].map((holds) => {
      const input = inputOf(pair, holds ? pair.reference : pair.otherReference, criterion)
      return {
        holds,
        task,
        input,
        async ask(models) {
          const verdict = verdictOf(await models.run(task, input))
          if (verdict === undefined) throw new Error(`${task.name}: the reply has no verdict`)
          const isNo = no === undefined ? verdict !== yes : verdict === no
          return { verdict: String(verdict), right: holds ? verdict === yes : isNo }
        },
      }
    })
}
