import { memoiseWeakly } from '../../../basics/memoise.ts'
import type { AnswerQuestionInput } from '../../../tasks/answers.ts'
import { type Language, lower, type Sentence, type Span, textOf, wordSet, type Word } from './language.ts'
import { coverage, denies, opposes, rarity, stems, stemsOf } from './overlap.ts'
import { coordinated, isHeading, isPeople, phrases } from './phrases.ts'

/** The best sentence of the context, or its shortest span of the kind asked for; or that it cannot answer. */
export function answer(language: Language, { question, context, style }: AnswerQuestionInput): string {
  const asked = askedFor(language.line(question))
  const ranked = rankedSentences(language.read(context), asked)
  const best = ranked[0]
  if (style === 'sentence') return best && best.covered > 0 ? best.sentence.text : 'The answer is not known.'
  if (!best || best.covered < (asked.wanted === 'yes-no' ? LEAST_COVERED_TO_AGREE : LEAST_COVERED))
    return 'unanswerable'
  if (asked.wanted === 'yes-no') return agrees(best.sentence, asked) ? 'yes' : 'no'
  const span = bestSpan(ranked.slice(0, SENTENCES_READ), asked)
  return span ?? (TYPED.has(asked.wanted) ? 'unanswerable' : clause(best.sentence))
}

type Ranked = ReturnType<typeof rankedSentences>[number]

/** Sentences by the share of the question that each covers, a little for neighbours and a span of the kind asked. */
function rankedSentences(sentences: readonly Sentence[], asked: AskedFor) {
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

/** Near the question's words, on the right side of its verb, with the noun asked for, not made of the question. */
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

/** 1 where the span stands on the side of the verb where who acts (or suffers) stands; "by" turns a passive. */
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

/** "in Warsaw", "at the old harbour": a phrase behind one of these prepositions, at most an article between. */
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

type Wanted = 'yes-no' | 'person' | 'place' | 'date' | 'number' | 'reason' | 'manner' | 'thing'

interface AskedFor {
  readonly sentence: Sentence
  readonly wanted: Wanted
  readonly said: ReadonlySet<string>
  /** Stem of the noun that the answer is: "Which dataset …". */
  readonly head?: string
  /** Whether more than one thing is asked for: "Which datasets …". */
  readonly several: boolean
  readonly verb?: string
  /** Whether the answer does what the verb says ("Who built it?") rather than suffers it ("What did he build?"). */
  readonly isActor: boolean
}

/** Takes a question apart by its question word and the order of its words. */
export function askedFor(sentence: Sentence): AskedFor {
  const { words } = sentence
  const at = words.findIndex((word) => QUESTION_WORDS.has(lower(word)))
  const verb = mainVerb(words, at)
  const head = at < 0 ? undefined : headOf(sentence, at)
  const headWord = words[head ?? -1]
  const between = words.slice((head ?? at) + 1, verb)
  return {
    sentence,
    wanted: wantedOf(words, at, headWord ?? measure(sentence, at, verb)),
    said: stems(words.filter((word) => !QUESTION_WORDS.has(lower(word)))),
    several: headWord !== undefined && lower(headWord) !== headWord.lemma.toLowerCase(),
    isActor: at >= 0 && verb > at && !between.some(({ pos }) => SUBJECTS.has(pos)),
    ...(headWord && { head: headWord.stem }),
    ...(words[verb] && { verb: words[verb].stem }),
  }
}

function wantedOf(words: readonly Word[], at: number, head: Word | undefined): Wanted {
  const first = words[0]
  if (first?.pos === 'AUX' || (at < 0 && AUXILIARIES.has(lower(first)))) return 'yes-no'
  const asking = lower(words[at])
  if (asking === 'how') return MEASURES.has(lower(words[at + 1])) ? 'number' : 'manner'
  return KINDS_ASKED.get(asking) ?? KINDS_ASKED.get(head?.lemma.toLowerCase() ?? '') ?? 'thing'
}

/** The last verb behind the question word and before another clause: "What did he grow when he lived there?". */
function mainVerb(words: readonly Word[], at: number): number {
  const clause = words.findIndex((word, index) => index > at + 1 && CLAUSE_OPENERS.has(lower(word)))
  const lastVerb = (end: number): number =>
    words.findLastIndex((word, index) => word.pos === 'VERB' && index > at && index < end)
  const verb = clause < 0 ? -1 : lastVerb(clause)
  return verb < 0 ? lastVerb(words.length) : verb
}

/** The last noun of the phrase right behind what, which or how many. */
function headOf(sentence: Sentence, at: number): number | undefined {
  const phrase = phrases(sentence).find(({ from }) => from > at)
  const isNext = phrase && sentence.words.slice(at + 1, phrase.from).every(({ pos }) => BEFORE_HEAD.has(pos))
  return isNext ? phrase.to - 1 : undefined
}

/** The word that asks for a number in "What is the weight of …?" and "What does it weigh?". */
function measure(sentence: Sentence, at: number, verb: number): Word | undefined {
  const { words } = sentence
  const noun = words[at + 1]?.lemma === 'be' ? headOf(sentence, at + 1) : undefined
  return [words[noun ?? -1], words[verb]].find((word) => word && KINDS_ASKED.get(word.lemma) === 'number')
}

const QUESTION_WORDS = wordSet('who whom whose what which when where why how')
const AUXILIARIES = wordSet('is are was were do does did has have had can could will would should may might must')
const CLAUSE_OPENERS = wordSet('who which that when where while if because although')
const MEASURES = wordSet('many much long old tall high far big large often fast deep wide heavy')
const BEFORE_HEAD = wordSet('DET ADJ ADV')
const SUBJECTS = wordSet('NOUN PROPN PRON')

/** Words that say what kind of answer is asked for: "In which year …", "What city …", "What does it weigh?". */
const KINDS_ASKED: ReadonlyMap<string, Wanted> = new Map([
  ...kind('date', 'when year date day month century time'),
  ...kind('number', 'number percentage percent amount size weight weigh price cost length height depth width age'),
  ...kind('person', 'who whom whose person author'),
  ...kind('place', 'where city country town place location state'),
  ...kind('reason', 'why reason'),
])

function kind(wanted: Wanted, list: string): readonly (readonly [string, Wanted])[] {
  return list.split(' ').map((word) => [word, wanted])
}
