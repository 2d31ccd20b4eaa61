import { memoiseWeakly } from '../../../basics/memoise.ts'
import { isPeople } from './language/people.ts'
import { coordinated, phrases } from './language/phrases.ts'
import type { AskedFor } from './question.ts'
import { lower, type Sentence, type Span, textOf } from './language/sentence.ts'

/** Spans of a sentence that are of the kind asked for; for a thing, rows first unless one is asked for. */
export function candidates(sentence: Sentence, asked: AskedFor): readonly Span[] {
  switch (asked.wanted) {
    case 'yes-no':
      return []
    case 'person':
      return people(sentence)
    case 'place':
      return places(sentence)
    case 'date':
      return sentence.quantities.filter(
        (quantity) => quantity.kind === 'date' || /\d{4}/.test(textOf(sentence, quantity)),
      )
    case 'number':
      return sentence.quantities
        .filter(({ kind }) => kind !== 'date')
        .map((number) => withUnit(sentence, number, asked))
    case 'reason':
      return after(sentence, REASONS)
    case 'manner':
      return after(sentence, MEANS)
    case 'thing':
      return asked.head === undefined || asked.several ? rowsAndThings(sentence) : things(sentence)
  }
}

const things = memoiseWeakly((sentence: Sentence): readonly Span[] =>
  phrases(sentence).filter((phrase) => !dated(sentence, phrase)),
)

const rowsAndThings = memoiseWeakly((sentence: Sentence): readonly Span[] => [
  ...rows(sentence, things(sentence)),
  ...things(sentence),
])

/** Names that are not where somebody is, else nouns for people, else any name. */
const people = memoiseWeakly((sentence: Sentence): readonly Span[] => {
  const all = phrases(sentence)
  const names = all.filter(({ kind, text }) => kind === 'name' && !/\d/.test(text))
  const free = names.filter((name) => !placed(sentence, name, STAYS))
  if (free.length > 0) return free
  const nouns = all.filter(({ to }) => isPeople(sentence.words[to - 1]?.lemma ?? ''))
  return nouns.length > 0 ? nouns : names
})

/** Names behind a preposition of place, else any noun phrase behind one. */
const places = memoiseWeakly((sentence: Sentence): readonly Span[] => {
  const all = phrases(sentence).filter((phrase) => placed(sentence, phrase, PLACES) && !timed(sentence, phrase))
  const names = all.filter(({ kind }) => kind === 'name')
  return names.length > 0 ? names : all
})

/** "900 kilograms", unless the question said the unit: "How many people …". */
function withUnit({ words }: Sentence, { from, to }: Span, asked: AskedFor): Span {
  const unit = words[to]
  return { from, to: unit?.pos === 'NOUN' && !asked.said.has(unit.stem) ? to + 1 : to }
}

/** "in Warsaw", "at the old harbour": a phrase behind a preposition of place, with nothing but an article between. */
function placed({ words }: Sentence, { from }: Span, prepositions: ReadonlySet<string>): boolean {
  const before = words[from - 1]?.pos === 'DET' || words[from - 1]?.pos === 'PRON' ? from - 2 : from - 1
  return prepositions.has(lower(words[before]))
}

/** "at eleven minutes past six" */
const timed = ({ quantities }: Sentence, { from, to }: Span): boolean =>
  quantities.some((quantity) => quantity.kind !== 'number' && quantity.from < to && from < quantity.to)

const dated = ({ quantities }: Sentence, { from, to }: Span): boolean =>
  quantities.some((quantity) => quantity.kind === 'date' && quantity.from < to && from < quantity.to)

/** From behind a cue to the end of its clause. */
function after({ words }: Sentence, cues: ReadonlySet<string>): readonly Span[] {
  return words.flatMap((word, index) => {
    if (!cues.has(lower(word))) return []
    const stop = words.findIndex((next, place) => place > index && /^[.,;:!?)]$/.test(next.text))
    const from = LINKS.has(lower(words[index + 1])) ? index + 2 : index + 1
    const to = stop < 0 ? words.length : stop
    return to > from ? [{ from, to }] : []
  })
}

/** "A, B and C": from the first to the last of a row. */
function rows(sentence: Sentence, spans: readonly Span[]): readonly Span[] {
  const found: Span[][] = []
  for (const span of spans) {
    const row = found.at(-1)
    const last = row?.at(-1)
    if (row && last && coordinated(sentence, last, span)) row.push(span)
    else found.push([span])
  }
  return found.filter((row) => row.length > 1).map((row) => ({ from: row[0]?.from ?? 0, to: row.at(-1)?.to ?? 0 }))
}

const PLACES: ReadonlySet<string> = new Set(
  'in at on near from to into inside outside behind under beneath below above over through across along towards around beside beyond between among against by off'.split(
    ' ',
  ),
)
/** Where somebody is who is not a place: "with", "from" and "by" are also said of people. */
const STAYS: ReadonlySet<string> = new Set('in at on near inside across'.split(' '))
/** because of, due to */
const LINKS: ReadonlySet<string> = new Set(['of', 'to'])
const REASONS: ReadonlySet<string> = new Set('because since due'.split(' '))
const MEANS: ReadonlySet<string> = new Set('by through using via'.split(' '))
