import { UserError } from '../errors.ts'
import type { Answer, ContextPassage, Opponent, Question, Reference, Scorer, ScorerInput } from '../types.ts'

/** An answered question, as short as one likes to write it: everything that is not given as a whole is filled in. */
export interface Asked {
  /** The question; a text is joined by `reference`. */
  readonly question: string | Question
  /** What is right, beside a question that is a text: one text or several accepted ones, or a whole reference. */
  readonly reference?: string | readonly string[] | Reference
  readonly answer: string | Answer
  /** What the answer was made from, best first. */
  readonly context?: readonly (string | (Partial<ContextPassage> & Pick<ContextPassage, 'text'>))[]
  /** Ids of all chunks that overlap the evidence, for scorers of retrieval; passages name theirs in `from`. */
  readonly relevant?: readonly string[]
  /** Reference texts of all questions, for a scorer that weighs words by them. */
  readonly references?: readonly string[]
  /** Other answers to the question, for a scorer that compares answers. */
  readonly opponents?: readonly Opponent[]
}

/** What a scorer sees of it. Throws UserError for a kind of question that the scorer does not score. */
export function scorerInputOf(
  { question: given, reference, answer, context = [], relevant, references, opponents }: Asked,
  { name, kinds }: Pick<Scorer, 'name' | 'kinds'>,
  countTokens: (text: string) => number,
): ScorerInput {
  if (typeof given !== 'string' && reference !== undefined)
    throw new UserError(`${name}: a question that is no text has its own reference; leave the other out`)
  const question: Question =
    typeof given === 'string' ? { id: 'question', text: given, reference: referenceOf(reference, name, kinds) } : given
  const { kind } = question.reference
  if (!kinds.includes(kind))
    throw new UserError(`${name} scores questions of the kind ${kinds.join(', ')}, not of the kind ${kind}`)
  return {
    question,
    answer: typeof answer === 'string' ? { text: answer } : answer,
    context: context.map((one, rank) => passageOf(one, context.length - rank, countTokens)),
    ...(relevant && { relevant }),
    ...(references && { references }),
    ...(opponents && { opponents }),
  }
}

/** Texts are accepted answers, or of the first other kind that the scorer scores. */
function referenceOf(given: Asked['reference'], name: string, kinds: Scorer['kinds']): Reference {
  if (typeof given === 'object' && 'kind' in given) return given
  const texts = given === undefined ? [] : typeof given === 'string' ? [given] : given
  if (kinds.includes('answer')) return { kind: 'answer', accepted: texts.map((text) => ({ text })) }
  if (kinds.includes('summary')) return { kind: 'summary', accepted: texts }
  const [accepted = ''] = texts
  if (kinds.includes('turn')) return { kind: 'turn', accepted }
  throw new UserError(
    `${name} scores choices: give reference: { kind: 'choice', options: ['…', '…'], correct: 0 } and answer: { text, choice }`,
  )
}

function passageOf(
  given: string | (Partial<ContextPassage> & Pick<ContextPassage, 'text'>),
  score: number,
  countTokens: (text: string) => number,
): ContextPassage {
  const { text, ...known } = typeof given === 'string' ? { text: given } : given
  return { text, score, from: [], kind: 'chunk', tokens: countTokens(text), documents: [], spans: [], ...known }
}
