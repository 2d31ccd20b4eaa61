import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { askedFor } from './answer.ts'
import { type Language, openLanguage, textOf } from './language.ts'
import { denies, opposes, placesOf, proximity } from './overlap.ts'
import { mentions, phrases } from './phrases.ts'
import { clauses } from './statements.ts'

let language: Language
beforeAll(async () => {
  language = await openLanguage()
})

describe('read', () => {
  test('words lie where they say', () => {
    const text = fc.oneof(
      fc.lorem({ mode: 'sentences', maxCount: 3 }),
      fc.string({ unit: 'grapheme-ascii', maxLength: 80 }),
    )
    fc.assert(
      fc.property(text, (text) =>
        language.read(text).every((sentence) => {
          const ends = sentence.words.map(({ start, end }) => [start, end]).flat()
          return ends.every((end, index) => index === 0 || end >= (ends[index - 1] ?? 0))
        }),
      ),
    )
    for (const sentence of language.read("Dr. Bell can't go. He'll pay $5 million (in May)."))
      for (const { text, start, end } of sentence.words) expect(sentence.text.slice(start, end)).toBe(text)
  })

  test('scripts without spaces fall into words', () => {
    const [sentence] = language.read('灯塔建于1871年。')
    expect(sentence?.words.map(({ text }) => text)).toContain('灯塔')
  })

  test('what has no end is cut, and loses no word', () => {
    const sentences = language.read('bell '.repeat(2000))
    expect(sentences.length).toBeGreaterThan(5)
    expect(sentences.flatMap(({ words }) => words)).toHaveLength(2000)
    expect(language.line('bell '.repeat(2000)).words.at(-1)).toMatchObject({ start: 9995, end: 9999 })
  })

  test('dates, durations and numbers', () => {
    const [sentence] = language.read('In 1871 four men rowed 3.5 miles for two days in 2008-2009.')
    expect(sentence?.quantities.map((quantity) => [quantity.kind, textOf(sentence, quantity)])).toEqual([
      ['date', '1871'],
      ['number', 'four'],
      ['number', '3.5'],
      ['duration', 'two days'],
      ['date', '2008-2009'],
    ])
  })
})

describe('stems', () => {
  test.each([
    ['grew', 'grow'],
    ['women', 'woman'],
    ['lighthouses', 'lighthouse'],
  ])('%s is %s', (form, base) => {
    const stemOf = (word: string) =>
      language.line(`They saw that ${word}.`).words.find(({ text }) => text === word)?.stem
    expect(stemOf(form)).toBe(stemOf(base))
  })

  test('number words are content, other small words are not', () => {
    const content = language.line('There were fifteen of them.').words.filter((word) => word.content)
    expect(content.map(({ text }) => text)).toEqual(['fifteen'])
  })
})

describe('proximity', () => {
  const near = (wanted: string[], others: string[]) =>
    proximity(new Set(wanted), new Set(others), placesOf([language.line('The keeper rang the bell.')]), () => 1)

  test.each([
    ['next to it', ['ring'], ['keeper'], 1],
    ['three words on', ['keeper'], ['bell'], 1 / 3],
    ['half of the wanted is not there', ['keeper', 'lamp'], ['bell'], 1 / 6],
    ['the nearest of the others counts', ['keeper'], ['bell', 'ring'], 1],
    ['what is wanted itself marks no place', ['keeper'], ['keeper'], 0],
    ['nothing wanted', [], ['bell'], 0],
  ])('%s', (_, wanted, others, expected) => {
    expect(near(wanted, others)).toBeCloseTo(expected)
  })
})

describe('paragraphs', () => {
  test.each([
    ['a blank line parts', 'One.\n\nTwo.', ['One.', 'Two.']],
    ['a heading stays alone', 'Arden Mill\nArden Mill is a mill.', ['Arden Mill', 'Arden Mill is a mill.']],
    ['list items stay apart', '- One\n- Two', ['- One', '- Two']],
    [
      'a wrapped line goes on',
      'The dance that the girl was performing was an old version of the Sabrina\nritual of the north.',
      ['The dance that the girl was performing was an old version of the Sabrina ritual of the north.'],
    ],
    ['a short line goes on in lower case', 'The keeper\nrang', ['The keeper rang']],
    ['nothing', ' \n\n ', []],
  ])('%s', (_, text, expected) => {
    expect(language.read(text).map((sentence) => sentence.text)).toEqual(expected)
  })
})

describe('phrases', () => {
  test.each([
    ['The keeper of the old lighthouse met Queen Elizabeth II.', ['keeper', 'old lighthouse', 'Queen Elizabeth II']],
    ['He taught at the University of Warsaw.', ['University of Warsaw']],
    ['They run a GPU-based model with state-of-the-art results.', ['GPU-based model', 'state-of-the-art results']],
    ['It rained.', []],
  ])('%s', (text, expected) => {
    expect(phrases(language.line(text)).map((phrase) => phrase.text)).toEqual(expected)
  })

  test('of a date and a noun that overlap, the longer is mentioned', () => {
    const found = mentions(language.line('In May 1920 four horses died.')).map(({ kind, text }) => `${kind} ${text}`)
    expect(found).toEqual(['date May 1920', 'noun four horses'])
  })
})

describe('clauses', () => {
  test.each([
    [
      'The storm blew and the lamp broke.',
      [
        ['storm', 'blew', ''],
        ['lamp', 'broke', ''],
      ],
    ],
    ['The keeper of the lighthouse rang the bell.', [['keeper of the lighthouse', 'rang', 'the bell']]],
    ['At two the lamp broke.', [['lamp', 'broke', '']]],
    ['Robert and Mary built a mill in 1790.', [['Robert and Mary', 'built', 'a mill in 1790']]],
    [
      'The mill, which stood in Kent, burned.',
      [
        ['mill', 'stood', 'in Kent'],
        ['mill', 'burned', ''],
      ],
    ],
    ['She did not want to go home.', [['She', 'did not want to go', 'home']]],
    ['A mill.', []],
  ])('%s', (text, expected) => {
    const sentence = language.line(text)
    const found = clauses(sentence).map(({ subject, verb, rest }) => [
      subject ? textOf(sentence, subject) : '',
      textOf(sentence, verb),
      textOf(sentence, rest),
    ])
    expect(found).toEqual(expected)
  })
})

describe('what a question asks for', () => {
  test.each([
    ['Who built it?', 'person'],
    ['Whose boat was lost?', 'person'],
    ['When did it burn?', 'date'],
    ['In which year did it burn?', 'date'],
    ['Where is it?', 'place'],
    ['Which city is it in?', 'place'],
    ['How many boats were lost?', 'number'],
    ['How old is it?', 'number'],
    ['What is the weight of the bell?', 'number'],
    ['What does the bell weigh?', 'number'],
    ['What is the state of the bell?', 'thing'],
    ['How was it built?', 'manner'],
    ['Why did it burn?', 'reason'],
    ['What burned?', 'thing'],
    ['Which boats burned?', 'thing'],
    ['What constructor is it?', 'thing'],
    ['Did it burn?', 'yes-no'],
    ['Is there a boat?', 'yes-no'],
    ['boat', 'thing'],
  ])('%s %s', (text, wanted) => {
    expect(askedFor(language.line(text)).wanted).toBe(wanted)
  })

  test.each([
    ['What did Rudd grow when he lived here?', 'grow'],
    ['What did Rudd grow?', 'grow'],
    ['What did the keeper who left buy?', 'buy'],
  ])('%s: its verb is %s', (text, verb) => {
    expect(askedFor(language.line(text)).verb).toBe(verb)
  })

  test.each([
    ['Who built the mill?', true],
    ['What did Bell build?', false],
    ['Which viruses cause fever?', true],
    ['Which mill did Bell build?', false],
  ])('%s: actor %s', (text, actor) => {
    expect(askedFor(language.line(text)).isActor).toBe(actor)
  })
})

describe('polarity', () => {
  test.each([
    ['The bell did not ring.', true],
    ['The bell rang.', false],
    ['Nobody rang the bell, and the lamp broke.', true],
    ['The bell rang, and no ship was lost.', false],
    ['It is not true that nobody rang the bell.', false],
  ])('%s denies of the bell: %s', (text, expected) => {
    expect(denies(language.line(text), new Set(['bell']))).toBe(expected)
  })

  test('opposites, unless both are said', () => {
    const line = (text: string) => language.line(text)
    expect(opposes(line('Prices will increase.'), line('Prices will decrease.'))).toBe(true)
    expect(opposes(line('Prices increase or decrease.'), line('Prices will decrease.'))).toBe(false)
    expect(opposes(line('Prices will increase.'), line('Prices will increase.'))).toBe(false)
  })
})
