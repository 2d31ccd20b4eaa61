import { mulberry32, seedFrom } from '../../../src/math/random.ts'

/**
 * A made-up chronicle of so many paragraphs, of about 100 tokens each: sentences about people, places and societies
 * whose names recur as words do in a language (Zipf's law), some all through the text and some within a section alone.
 * A shorter one is the beginning of a longer one.
 */
export function growthText(paragraphs: number): string {
  const random = mulberry32(17)
  return Array.from({ length: paragraphs }, (_, place) =>
    Array.from({ length: 4 }, () => sentence(random, Math.floor(place / paragraphsOfSection))).join(' '),
  ).join('\n\n')
}

const paragraphsOfSection = 25

/** From 1, by the law of Zipf and Mandelbrot; of n draws about n^0.7 are different. */
const rank = (random: () => number): number => Math.min(1 + Math.floor(5 * (random() ** -2.5 - 1)), 1e6)

function sentence(random: () => number, section: number): string {
  const pick = (of: readonly string[]): string => of[Math.floor(random() * of.length)] ?? ''
  const word = (of: readonly string[]): string => of[(rank(random) - 1) % of.length] ?? ''
  const nameOf = (kind: string): string => {
    const local = random() < 0.25 ? `section ${section} ` : ''
    return name(kind, `${local}${rank(random)}`)
  }
  const person = () => nameOf('person')
  const place = () => nameOf('place')
  const parts: Readonly<Record<string, () => string>> = {
    person,
    place,
    society: () => `the ${nameOf('society')} Society`,
    year: () => String(1600 + Math.floor(random() * 350)),
    count: () => String(2 + Math.floor(random() * 900)),
    thing: () => `${word(qualities)} ${word(things)}`,
    things: () => `${word(things)}s`,
    did: () => word(deeds),
    when: () => pick(['In spring', 'After the war', 'Before the flood', 'That winter', 'For many years', 'At first']),
  }
  return pick(patterns).replace(/\{(\w+)\}/g, (_, part: string) => parts[part]?.() ?? '')
}

const patterns = [
  '{person} {did} the {thing} of {place} in {year}, because the {things} of {society} had been sold.',
  'In {year} {person} {did} the {thing} near {place} together with {person}.',
  '{society} {did} {count} {things} and paid {person} for the {thing} at {place}.',
  '{when} {person} was the keeper of the {thing}, and {person} {did} it with {count} {things}.',
  'The {thing} in {place} belongs to {society}, which {person} founded in {year}.',
  '{person}, a neighbour of {person}, {did} the {thing} on the road from {place} to {place}.',
  '{when} the {things} of {place} were {did} by {person}, who wanted another {thing}.',
  'Nobody in {place} knew that {person} had {did} the {thing} of {society} in {year}.',
]

/** A name of its own for every key: syllables drawn from a seed of the key. */
function name(kind: string, key: string): string {
  const random = mulberry32(seedFrom(kind, key))
  const syllable = () => `${draw(random, onsets)}${draw(random, vowels)}`
  const item = () => {
    const word = `${syllable()}${syllable()}${draw(random, endings)}`
    return `${word.charAt(0).toUpperCase()}${word.slice(1)}`
  }
  return kind === 'person' ? `${item()} ${item()}` : item()
}

const draw = (random: () => number, of: readonly string[]): string => of[Math.floor(random() * of.length)] ?? ''

const [onsets, vowels, endings] = [
  'b d f g h k l m n p r s t v br dr gr kl st tr',
  'a e i o u ai or',
  'n r l s th nd rt ck',
].map((list) => list.split(' ')) as [string[], string[], string[]]
const deeds = 'built bought sold repaired painted measured described lost found burned closed opened hid moved'.split(
  ' ',
)
const qualities =
  'old small northern wooden stone heavy silver narrow empty red hidden famous broken long quiet bitter early foreign'.split(
    ' ',
  )
const things =
  'mill bridge lamp school clock garden tower boat wall letter map bell market harbour field house road library well ring gate forge barrel window chapel ladder mirror orchard quarry lantern ledger anchor kiln saddle furnace statue trumpet carriage tunnel vessel'.split(
    ' ',
  )
