import { memoise } from '../../basics/memoise.ts'
import { mentionsIn } from './names.ts'
import {
  closest,
  coverage,
  isDenied,
  isHeading,
  line,
  rarity,
  read,
  termsOf,
  windows,
  type Sentence,
} from './reading.ts'

/** The sentence of a context with the largest overlap with a question, or a sentence for no answer. */
export function sentenceFor(question: string, context: string): string {
  const [best] = rankedFor(question, context)
  return best && best.share > 0 ? best.sentence.text : 'The answer is not known.'
}

/** The span of the best sentence that has the expected type, "yes" or "no", or "unanswerable". */
export function shortAnswer(question: string, context: string): string {
  const candidates = rankedFor(question, context)
  const [best] = candidates
  const isYesNo = yesNo.test(question)
  if (!best || best.share < (isYesNo ? leastShareToAgree : leastShare)) return 'unanswerable'
  const questionTerms = termsOf(question)
  if (isYesNo) {
    const isSentenceDenied = isDenied(best.sentence.text, questionTerms)
    return isSentenceDenied === isDenied(question, questionTerms) ? 'yes' : 'no'
  }
  for (const { spans } of candidates.slice(0, 3)) {
    if (spans[0] !== undefined) return spans[0]
  }
  if (kindOf(question) !== 'thing' && kindOf(question) !== 'reason') return 'unanswerable'
  return best.sentence.text.replace(/;\s.*$/, '').replace(/[.!?]+$/, '') || 'unanswerable'
}

const yesNo = /^\W*(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|may|might|must)\b/i

const leastShare = 0.3
const leastShareToAgree = 0.5
const sentencesRead = 12

const rankedFor = (question: string, context: string) =>
  closest(question, read(context))
    .slice(0, sentencesRead)
    .map(({ sentence, share }) => {
      const spans = spansOf(sentence, question)
      const worth = share + (spans.length > 0 ? 0.15 : 0)
      const isNoStatement = isHeading(sentence) || sentence.text.endsWith('?')
      return { sentence, share, spans, score: isNoStatement ? worth / 2 : worth }
    })
    .sort((a, b) => b.score - a.score)

function spansOf(sentence: Sentence, question: string): readonly string[] {
  const questionTerms = line(question).terms
  const kind = kindOf(question)
  if (kind === 'reason') {
    const [, why] = /\b(?:because|since|due to) (?:of )?([^.,;:!?]+)/i.exec(sentence.text) ?? []
    return why === undefined ? [] : [why]
  }
  const mentionKinds = {
    person: ['name'],
    place: ['name'],
    date: ['date'],
    number: ['number'],
    thing: ['name', 'number'],
  }[kind]
  const sharedWords = Array.from(sentence.text.matchAll(/[\p{L}\p{N}]+/gu)).filter(({ 0: word }) =>
    [...termsOf(word)].every((term) => questionTerms.has(term)),
  )
  const isNew = (text: string) => {
    const terms = [...termsOf(text)]
    return 2 * terms.filter((term) => !questionTerms.has(term)).length > terms.length
  }
  return mentionsIn(sentence)
    .filter((mention) => mentionKinds.includes(mention.kind) && isNew(mention.text))
    .filter(({ start }) => kind !== 'place' || endsWithPreposition.test(sentence.text.slice(0, start)))
    .map(({ text, start, end }) => {
      const distances = sharedWords.map(({ index }) => (index < start ? start - index : index - end))
      return { text, distance: Math.min(...distances.map(Math.abs)) }
    })
    .sort((a, b) => a.distance - b.distance)
    .map(({ text }) => text)
}

const endsWithPreposition = /\b(?:in|at|on|near|from|to) (?:the )?$/i

function kindOf(question: string): 'person' | 'place' | 'date' | 'number' | 'reason' | 'thing' {
  if (/\b(?:who|whom|whose)\b/i.test(question)) return 'person'
  if (/\b(?:when|(?:what|which) (?:year|day|date|month))\b/i.test(question)) return 'date'
  if (/\b(?:where|(?:what|which) (?:city|town|country|place))\b/i.test(question)) return 'place'
  if (/\bhow (?:many|much|long|old|tall|high|far|big|large|often|deep|heavy)\b/i.test(question)) return 'number'
  return /\bwhy\b/i.test(question) ? 'reason' : 'thing'
}

interface ChoiceInput {
  readonly question: string
  readonly options: readonly string[]
  readonly context: string
}

/** The number, from 1, of the option with the most support in the context; without a context, of the longest option. */
export function choiceFor(input: ChoiceInput): string {
  const sentences = read(input.context)
  const scores = sentences.length > 0 ? supports(input, sentences) : input.options.map((option) => option.length)
  const isExcept = /\b(?:except|EXCEPT|NOT)\b/.test(input.question)
  return String(scores.indexOf(isExcept ? Math.min(...scores) : Math.max(...scores)) + 1)
}

function supports({ question, options }: ChoiceInput, sentences: readonly Sentence[]): readonly number[] {
  const rare = rarity(sentences)
  const questionTerms = line(question).terms
  const terms = options.map(termsOf)
  // a term in several options is weak evidence for each
  const weight = memoise((term: string) => rare(term) / terms.filter((optionTerms) => optionTerms.has(term)).length)
  const runs = windows(sentences, 3).map((run) => {
    const nearness = coverage(questionTerms, run.terms, rare)
    return { ...run, near: 0.5 + nearness }
  })
  return terms.map((option) => {
    const totalWeight = [...option].reduce((sum, term) => sum + weight(term), 0)
    const scores = runs.map((run) => totalWeight * run.near * coverage(option, run.terms, weight))
    return scores
      .sort((a, b) => b - a)
      .slice(0, 3)
      .reduce((sum, score) => sum + score, 0)
  })
}
