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
import { referenceText } from './credited.ts'

/** A call to a judge of which the right verdict is known, from the references of a dataset. */
export interface KnownClaim {
  /** Whether the claim is true; of two answers, whether the right one is shown first. */
  readonly holds: boolean
  /** The verdict in a word, and whether it agrees that the claim holds. Throws as the call does. */
  readonly ask: (models: Models) => Promise<Said>
  readonly task: AnyTask
  readonly input: unknown
}

interface Said {
  readonly verdict: string
  readonly right: boolean
}

/** Claims of each kind, at most. */
const most = 10

/**
 * Up to ten claims that are true and as many that are false, for each task of a judge that can be tried: the reference
 * of a question, and that of another question in its place. Of two answers the reference is the better one, shown in
 * either order. Empty where there are no two questions whose references differ.
 */
export function knownClaims(
  tasks: readonly AnyTask[],
  questions: Iterable<Question>,
  { criteria: [criterion = 'directness'] = [] }: { readonly criteria?: readonly string[] } = {},
): readonly KnownClaim[] {
  const makers = tasks.flatMap((task) => (Object.hasOwn(claimsFor, task.name) ? (claimsFor[task.name] ?? []) : []))
  if (makers.length === 0) return []
  const pairs = swappedReferences(questions)
  const known = isCriterion(criterion) ? criterion : 'directness'
  return makers.flatMap((claims) => pairs.flatMap((pair) => claims(pair, known)))
}

/** A question with its own reference and with that of another one, which does not answer it. */
interface SwappedReference {
  readonly question: Question
  readonly own: string
  readonly other: string
}

/** The first ten questions of which the reference can be swapped. */
function swappedReferences(questions: Iterable<Question>): readonly SwappedReference[] {
  const usable = new Map<string, { readonly question: Question; readonly own: string }>()
  for (const question of questions) {
    const own = referenceText(question.reference)?.trim() ?? ''
    const normal = normaliseAnswer(own)
    if (normal === '' || verdictWords.has(normal) || usable.has(normal)) continue
    usable.set(normal, { question, own })
    // some cannot be swapped with each other
    if (usable.size >= 3 * most) break
  }
  const all = [...usable]
  const swapped = all.flatMap(([, { question, own }], place): readonly SwappedReference[] => {
    const said = ` ${normaliseAnswer([question.text, own, knowledgeOf(question)].join(' '))} `
    const others = [...all.slice(place + 1), ...all.slice(0, place)]
    const other = others.find(
      ([normal]) => !said.includes(` ${normal} `) && !` ${normal} `.includes(` ${all[place]?.[0]} `),
    )
    return other ? [{ question, own, other: other[1].own }] : []
  })
  return swapped.slice(0, most)
}

/** References that say too little to be false of another question. */
const verdictWords = new Set(['yes', 'no', 'true', 'false', 'none', 'unknown', 'unanswerable', 'not sure'])

const knowledgeOf = ({ evidence = [] }: Question): string => evidence.flatMap(({ text }) => text ?? []).join('\n\n')

type Claims = (pair: SwappedReference, criterion: Criterion) => readonly KnownClaim[]

/** The claims of each task that can be tried, by its name. */
const claimsFor: Readonly<Record<string, Claims>> = {
  [verifyClaims.name]: either(
    verifyClaims,
    ({ question, own }, claim) => ({ claims: [claim], context: `${question.text}\n${own}` }),
    ({ statements: [first] }) => first && yesOrNo(first.verdict),
  ),
  [attributeSentences.name]: either(
    attributeSentences,
    ({ question, own }, sentence) => ({
      question: question.text,
      sentences: [sentence],
      context: `${question.text}\n${own}`,
    }),
    ({ attributions: [first] }) => first && yesOrNo(first.attributed),
  ),
  [judgeUsefulness.name]: either(
    judgeUsefulness,
    ({ question, own }, answer) => ({ question: question.text, answer: own, passage: `${question.text}\n${answer}` }),
    ({ verdict }) => yesOrNo(verdict),
  ),
  [judgeAnswer.name]: either(
    judgeAnswer,
    ({ question, own }, answer) => ({ question: question.text, accepted: [own], answer }),
    ({ verdict }) => yesOrNo(verdict),
  ),
  [judgeTurn.name]: either(
    judgeTurn,
    ({ question, own }, reply) => ({
      knowledge: knowledgeOf(question),
      roles: question.roles ?? { asks: 'user1', replies: 'user2' },
      message: question.text,
      reply,
      gold: own,
    }),
    ({ verdict }) => ({ verdict, isYes: verdict === 'correct' }),
  ),
  [compareAnswers.name]: ({ question, own, other }, criterion) =>
    [true, false].map((holds) =>
      claim(
        compareAnswers,
        {
          question: question.text,
          criterion,
          first: holds ? own : other,
          second: holds ? other : own,
        },
        holds,
        ({ winner }) => ({ verdict: String(winner), isYes: winner === 1, isNo: winner === 2 }),
      ),
    ),
}

interface Read {
  readonly verdict: string
  readonly isYes: boolean
  /** Where what is not a yes is not yet a no. */
  readonly isNo?: boolean
}

const yesOrNo = (verdict: 0 | 1): Read => ({ verdict: String(verdict), isYes: verdict === 1 })

function either<I, T>(
  task: Task<I, T>,
  inputOf: (pair: SwappedReference, answer: string) => I,
  read: (reply: T) => Read | undefined,
): Claims {
  return (pair) => [
    claim(task, inputOf(pair, pair.own), true, read),
    claim(task, inputOf(pair, pair.other), false, read),
  ]
}

const claim = <I, T>(task: Task<I, T>, input: I, holds: boolean, read: (reply: T) => Read | undefined): KnownClaim => ({
  holds,
  task,
  input,
  async ask(models) {
    const said = read(await models.run(task, input))
    if (!said) throw new Error(`${task.name}: the reply has no verdict`)
    return { verdict: said.verdict, right: holds ? said.isYes : (said.isNo ?? !said.isYes) }
  },
})
