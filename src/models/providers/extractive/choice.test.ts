import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { onShelf } from '../../../test-support/dataset-copies/shelf-files.ts'
import { choice } from './choice.ts'
import { type Language, openLanguage } from './language.ts'
import { coverage, rarity, stems, stemsOf, windows } from './overlap.ts'

const harbour = readFileSync(new URL('./harbour.txt', import.meta.url), 'utf8')

let language: Language
beforeAll(async () => {
  language = await openLanguage()
})

const choose = (question: string, options: readonly string[], context = harbour) =>
  Number(choice(language, { question, options, context }))

describe('choice', () => {
  test.each([
    [
      'Why did the lamp break?',
      ['A tile hit the glass', 'The keeper dropped it', 'Lightning struck it', 'It was old'],
      1,
    ],
    ['What did Falk do in the storm?', ['She fled', 'She lit a fire', 'She slept', 'She rang the bell by hand'], 4],
    ['When was the line to Kelso closed?', ['1920', '1958', '1964', '1903'], 3],
    ['How did Reed pay for the study?', ['With a loan', 'By selling the forest', 'With taxes', 'With fish'], 2],
    ['What is the building now?', ['A school', 'A prison', 'A museum of fishing', 'A theatre'], 3],
  ])('%s', (question, options, expected) => {
    expect(choose(question, options)).toBe(expected)
  })

  test('words that all options share decide nothing', () => {
    expect(
      choose(
        'What broke?',
        ['The bell of Falk', 'The lamp of Falk', 'The bridge of Falk'],
        'Falk sang. The lamp broke.',
      ),
    ).toBe(2)
  })

  test('a run that denies supports an option less than one that does not', () => {
    const context =
      'The keeper did not sell the boat.\n\nA dog barked.\n\nA cat slept.\n\nRain fell.\n\nThe keeper did paint the house.'
    expect(choose('What did the keeper do?', ['Sell the boat', 'Paint the house'], context)).toBe(2)
    expect(choose('What did the keeper do?', ['Not sell the boat', 'Paint a fence'], context)).toBe(1)
  })

  test('of two that stand by the question, the nearer', () => {
    const context = 'In the boat sat Anna, in the house Bert and in the mill Cora.'
    expect(choose('Who was in the boat?', ['Cora', 'Bert', 'Anna'], context)).toBe(3)
    expect(choose('Who was in the mill?', ['Anna', 'Bert', 'Cora'], context)).toBe(3)
  })

  test('numbers in words tell options apart', () => {
    const options = ['twelve', 'eleven', 'fifteen']
    expect(choose('How many boats were lost?', options, 'There were fifteen boats lost.')).toBe(3)
  })

  test('all of the above: where every other option is supported', () => {
    const options = ['Nets', 'Barrels', 'Old photographs', 'All of the above']
    expect(choose('What can be seen in the museum?', options)).toBe(4)
    expect(choose('What can be seen in the museum?', ['Nets', 'Dinosaurs', 'Spaceships', 'All of the above'])).toBe(1)
  })

  test('none of the above: where no other option is supported', () => {
    expect(choose('What can be seen there?', ['Dinosaurs', 'Spaceships', 'None of the above'])).toBe(3)
    expect(choose('What can be seen there?', ['Dinosaurs', 'Old photographs', 'None of the above'])).toBe(2)
  })

  test('a question for the exception takes the least supported', () => {
    expect(choose('Which is NOT in the museum?', ['Nets', 'Barrels', 'Steam engines', 'Photographs'])).toBe(3)
  })

  test('ties go to the lowest number', () => {
    expect(choose('What flew?', ['Unicorns', 'Dragons', 'Griffins'])).toBe(1)
    expect(choose('What broke?', ['the lamp', 'the lamp'])).toBe(1)
  })

  test('without a context the longest option, the first of equals', () => {
    expect(choose('Why?', ['No', 'Because of the long storm', 'Yes'], '')).toBe(2)
    expect(choose('Why?', ['aa', 'bb', 'c'], '')).toBe(1)
  })

  test('always names an option', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.array(fc.string(), { minLength: 1, maxLength: 6 }),
        fc.string(),
        (question, options, context) => {
          const number = choose(question, options, context)
          return Number.isInteger(number) && number >= 1 && number <= options.length
        },
      ),
    )
  })
})

interface Article {
  readonly article: string
  readonly questions: readonly {
    readonly question: string
    readonly options: readonly string[]
    readonly gold_label: number
  }[]
}

const copy: Article = {
  article: harbour,
  questions: [
    {
      question: 'Why was no ship lost in the great storm?',
      options: [
        'The lamp held',
        'Ships stayed at home',
        'Falk rang the bell by hand until morning',
        'Moor had warned them',
      ],
      gold_label: 3,
    },
    {
      question: 'What became of the cannery?',
      options: ['It burned down', 'It closed when the herring disappeared', 'It moved to Leith', 'It builds trains'],
      gold_label: 2,
    },
    {
      question: 'What stands against the railway?',
      options: ['The mayor', 'The fish', 'The herring', 'The old bridge cannot carry modern trains'],
      gold_label: 4,
    },
    {
      question: 'Who founded Tarn?',
      options: ['A captain who had lost his ship', 'A mayor who sold a forest', 'A workshop', 'Women of the cannery'],
      gold_label: 1,
    },
  ],
}

describe.each<[string, Article[]]>([
  ['a copy in the form of QuALITY', [copy]],
  ...onShelf<[]>(['quality/QuALITY.v1.0.1.htmlstripped.dev.sample3.jsonl']).map(([file]): [string, Article[]] => [
    file,
    readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Article),
  ]),
])('%s', (_, articles) => {
  test.each([
    ['whole articles', (article: string) => article],
    ['the passages nearest to question and options', nearest],
  ])('beats chance, which is right in a quarter, with %s', (_, contextOf) => {
    const asked = articles.flatMap(({ article, questions }) => questions.map((one) => ({ article, ...one })))
    const right = asked.filter(
      ({ article, question, options, gold_label }) =>
        choose(question, options, contextOf(article, [question, ...options].join(' '))) === gold_label,
    )
    expect(right.length).toBeGreaterThan(asked.length / 4)
  })
})

/** Four runs of five sentences with the largest share of what is wanted. */
function nearest(article: string, wanted: string): string {
  const sentences = language.read(article)
  const weight = rarity(sentences)
  const stemsWanted = stems(language.line(wanted).words)
  return windows(sentences, 5)
    .filter((_, index) => index % 5 === 4)
    .map((run, index) => ({ run, index, share: coverage(stemsWanted, stemsOf(run), weight) }))
    .sort((a, b) => b.share - a.share || a.index - b.index)
    .slice(0, 4)
    .map(({ run }) => run.map(({ text }) => text).join(' '))
    .join('\n\n')
}
