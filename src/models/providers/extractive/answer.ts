import { memoiseWeakly } from '../../../basics/memoise.ts'
import type { AnswerQuestionInput } from '../../../tasks/answers.ts'
import { type Language, lower, type Sentence, type Span, textOf, wordSet } from './language.ts'
import { coverage, denies, opposes, rarity, stems, stemsOf } from './overlap.ts'
import { coordinated, isHeading, isPeople, phrases } from './phrases.ts'
import { type AskedFor, askedFor } from './question.ts'

/**
 * Answers with the best sentence of the context, or with its shortest span of the kind asked for; says that it cannot
 * where the context covers too little of the question or holds nothing of that kind. Without a context it knows
 * nothing.
 */
export function answer(language: Language, { question, context, style }: AnswerQuestionInput): string {
  const asked = askedFor(language.line(question))
  const ranked = rankedSentences(language.read(context), asked)
  const best = ranked[0]
  if (style !== 'short') return best && best.covered > 0 ? best.sentence.text : 'The answer is not known.'
  if (!best || best.covered < (asked.wanted === 'yes-no' ? LEAST_COVERED_TO_AGREE : LEAST_COVERED))
    return 'unanswerable'
  if (asked.wanted === 'yes-no') return agrees(best.sentence, asked) ? 'yes' : 'no'
  const span = bestSpan(ranked.slice(0, SENTENCES_READ), asked)
  return span ?? (TYPED.has(asked.wanted) ? 'unanswerable' : clause(best.sentence))
}

interface Ranked {
  readonly sentence: Sentence
  /** Share of the question, by weight, that the sentence holds. */
  readonly covered: number
  readonly score: number
}

/** Sentences by the share of the question that they hold, with a little for what their neighbours hold and for a span of the kind asked for. */
function rankedSentences(sentences: readonly Sentence[], asked: AskedFor): readonly Ranked[] {
  const weight = rarity(sentences)
  return stemsNearby(sentences)
    .map(({ sentence, nearby }) => {
      const covered = coverage(asked.said, stems(sentence.words), weight)
      const around = coverage(asked.said, nearby, weight)
      const fits = candidates(sentence, asked).length > 0
      const worth = covered + NEIGHBOURS * (around - covered) + (fits ? FITTING : 0)
      // titles and questions answer nothing
      const isTold = !isHeading(sentence) && !sentence.text.endsWith('?')
      return { sentence, covered, score: worth * (isTold ? 1 : 0.5) }
    })
    .sort((a, b) => b.score - a.score)
}

/** Each sentence with the stems of it and of those before and after it. */
const stemsNearby = memoiseWeakly((sentences: readonly Sentence[]) =>
  sentences.map((sentence, index) => ({
    sentence,
    nearby: stemsOf(sentences.slice(Math.max(0, index - 1), index + 2)),
  })),
)

const agrees = (told: Sentence, { sentence, said }: AskedFor): boolean =>
  denies(told, said) === denies(sentence, said) && !opposes(told, sentence)

/** The part of a sentence before its first semicolon, without the full stop. */
const clause = (sentence: Sentence): string => sentence.text.replace(/;\s.*$/, '').replace(/[.!?]+$/, '')

/** The words of the best span of the kind asked for in a few sentences, or none. */
function bestSpan(sentences: readonly Ranked[], asked: AskedFor): string | undefined {
  let best: { readonly text: string; readonly score: number } | undefined
  for (const { sentence, score } of sentences)
    for (const span of candidates(sentence, asked)) {
      const here = score + fit(sentence, span, asked)
      if (!best || here > best.score) best = { text: textOf(sentence, span), score: here }
    }
  return best?.text
}

/** Near the question's words, on the right side of its verb, with the noun asked for, and not made of the question itself. */
function fit(sentence: Sentence, span: Span, asked: AskedFor): number {
  const inside = [...stems(sentence.words.slice(span.from, span.to))]
  const repeated = inside.filter((stem) => asked.said.has(stem) && stem !== asked.head).length
  const named = asked.head !== undefined && inside.includes(asked.head) ? NAMED : 0
  const share = repeated / Math.max(1, inside.length)
  return NEAR * nearness(sentence, span, asked) + SIDE * side(sentence, span, asked) + named - REPEATED * share
}

/** Mean of 1 / distance in words to the question's words in the sentence. */
function nearness({ words }: Sentence, { from, to }: Span, asked: AskedFor): number {
  const distances = words.flatMap((word, index) =>
    asked.said.has(word.stem) && (index < from || index >= to) ? [index < from ? from - index : index - to + 1] : [],
  )
  return distances.reduce((sum, distance) => sum + 1 / distance, 0) / Math.max(1, distances.length)
}

/** 1 where the span stands on that side of the question's verb where who acts (or suffers) stands; "by" turns the sides of a passive around. */
function side({ words }: Sentence, { from, to }: Span, asked: AskedFor): number {
  const verb = words.findIndex((word) => word.stem === asked.verb && (word.pos === 'VERB' || word.pos === 'ADJ'))
  if (verb < 0) return 0
  const isPassive = words[verb - 1]?.lemma === 'be' && words.slice(verb + 1, verb + 4).some(({ text }) => text === 'by')
  return (asked.isActor !== isPassive ? to <= verb : from > verb) ? 1 : 0
}

/** Spans of a sentence that are of the kind asked for and hold a word that the question does not. */
const candidates = (sentence: Sentence, asked: AskedFor): readonly Span[] =>
  spansOf(sentence, asked).filter(({ from, to }) =>
    sentence.words.slice(from, to).some(({ stem, text }) => !asked.said.has(stem) && /[\p{L}\p{N}]/u.test(text)),
  )

/** For a thing, rows first unless one is asked for. */
function spansOf(sentence: Sentence, asked: AskedFor): readonly Span[] {
  const { quantities } = sentence
  switch (asked.wanted) {
    case 'yes-no':
      return []
    case 'person':
      return people(sentence)
    case 'place':
      return places(sentence)
    case 'date':
      return quantities.filter((quantity) => quantity.kind === 'date' || /\d{4}/.test(textOf(sentence, quantity)))
    case 'number':
      return quantities.filter(({ kind }) => kind !== 'date').map((number) => withUnit(sentence, number, asked))
    case 'reason':
      return after(sentence, REASONS)
    case 'manner':
      return after(sentence, MEANS)
    case 'thing': {
      const { all, rows } = things(sentence)
      return asked.head === undefined || asked.several ? [...rows, ...all] : all
    }
  }
}

/** Noun phrases that are no dates, and rows of them: "A, B and C", from the first to the last. */
const things = memoiseWeakly((sentence: Sentence) => {
  const all = phrases(sentence).filter((phrase) => !touches(sentence, phrase, wordSet('date')))
  const rows: { from: number; to: number; last: Span }[] = []
  for (const span of all) {
    const row = rows.at(-1)
    if (row && coordinated(sentence, row.last, span)) [row.to, row.last] = [span.to, span]
    else rows.push({ from: span.from, to: span.to, last: span })
  }
  return { all, rows: rows.filter(({ from, last }) => from < last.from) }
})

/** Names that are not where somebody is, else nouns for people, else any name. */
const people = memoiseWeakly((sentence: Sentence): readonly Span[] => {
  const all = phrases(sentence)
  const names = all.filter(({ kind, text }) => kind === 'name' && !/\d/.test(text))
  const free = names.filter((name) => !isBehind(sentence, name, STAYS))
  if (free.length > 0) return free
  const nouns = all.filter(({ to }) => isPeople(sentence.words[to - 1]?.lemma ?? ''))
  return nouns.length > 0 ? nouns : names
})

/** Names behind a preposition of place, else any noun phrase behind one. */
const places = memoiseWeakly((sentence: Sentence): readonly Span[] => {
  const all = phrases(sentence).filter(
    // "at eleven minutes past six"
    (phrase) => isBehind(sentence, phrase, PLACES) && !touches(sentence, phrase, wordSet('date duration')),
  )
  const names = all.filter(({ kind }) => kind === 'name')
  return names.length > 0 ? names : all
})

/** "900 kilograms", unless the question said the unit: "How many people …". */
function withUnit({ words }: Sentence, { from, to }: Span, asked: AskedFor): Span {
  const unit = words[to]
  return { from, to: unit?.pos === 'NOUN' && !asked.said.has(unit.stem) ? to + 1 : to }
}

/** "in Warsaw", "at the old harbour": a phrase behind one of these prepositions, with nothing but an article between. */
function isBehind({ words }: Sentence, { from }: Span, prepositions: ReadonlySet<string>): boolean {
  const before = words[from - 1]?.pos === 'DET' || words[from - 1]?.pos === 'PRON' ? from - 2 : from - 1
  return prepositions.has(lower(words[before]))
}

/** Whether a span shares a word with a quantity of one of these kinds. */
const touches = ({ quantities }: Sentence, { from, to }: Span, kinds: ReadonlySet<string>): boolean =>
  quantities.some((quantity) => kinds.has(quantity.kind) && quantity.from < to && from < quantity.to)

/** From behind a cue to the end of its clause. */
function after({ words }: Sentence, cues: ReadonlySet<string>): readonly Span[] {
  return words.flatMap((word, index) => {
    if (!cues.has(lower(word))) return []
    const stop = words.findIndex((next, place) => place > index && /^[.,;:!?)]$/.test(next.text))
    // because of, due to
    const from = /^(?:of|to)$/.test(lower(words[index + 1])) ? index + 2 : index + 1
    const to = stop < 0 ? words.length : stop
    return to > from ? [{ from, to }] : []
  })
}

/** Kinds that a sentence either holds or not; a reason or a manner may be any clause. */
const TYPED = wordSet('person place date number')
const PLACES = wordSet(
  'in at on near from to into inside outside behind under beneath below above over through across along towards around beside beyond between among against by off',
)
/** Where somebody is who is not a place: "with", "from" and "by" are also said of people. */
const STAYS = wordSet('in at on near inside across')
const REASONS = wordSet('because since due')
const MEANS = wordSet('by through using via')

/** Share of the question below which the best sentence is taken not to answer it; yes or no wants more. */
const LEAST_COVERED = 0.3
const LEAST_COVERED_TO_AGREE = 0.5
const NEIGHBOURS = 0.25
const FITTING = 0.15
const SENTENCES_READ = 3
/** Weights against a sentence's score of 0 to about 1; set by hand on a page of our own. */
const NEAR = 0.3
const SIDE = 0.3
const NAMED = 0.2
const REPEATED = 0.3
