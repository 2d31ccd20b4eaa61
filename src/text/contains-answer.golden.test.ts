import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { vectorsFolder } from '../test-support/golden.ts'
import { containsAnswer } from './contains-answer.ts'

interface GoldAnswer {
  readonly input: {
    readonly reference: string | readonly string[]
    readonly answer: string
    readonly question?: string
  }
  readonly expected: boolean
  readonly tags: readonly string[]
}

const { contains } = JSON.parse(readFileSync(join(vectorsFolder, 'answers.json'), 'utf8')) as {
  readonly contains: readonly GoldAnswer[]
}

const agrees = ({ input: { reference, answer, question }, expected }: GoldAnswer): boolean =>
  [reference].flat().some((text) => containsAnswer(answer, text, question)) === expected

const agreement = (cases: readonly GoldAnswer[]): string => `${cases.filter(agrees).length} of ${cases.length}`

test('at least 97 % of the gold cases that need no language model agree', () => {
  const decidable = contains.filter(({ tags }) => !tags.includes('hard'))
  expect(decidable.filter(agrees).length / decidable.length).toBeGreaterThanOrEqual(0.97)
})

test('agreement by kind and language', () => {
  const tags = [...new Set(contains.flatMap(({ tags }) => tags))].sort()
  const byTag = tags.map((tag) => `${tag}: ${agreement(contains.filter(({ tags }) => tags.includes(tag)))}`)
  const lines = [`all: ${agreement(contains)}`, ...byTag]
  process.stdout.write(`${lines.join('\n')}\n`)
  // other vectors ("npm run vectors -- FOLDER") are only printed
  if (process.env['GEMBENCH_VECTORS'] === undefined)
    expect(lines).toMatchInlineSnapshot(`
    [
      "all: 198 of 210",
      "alternatives: 3 of 3",
      "apostrophe: 3 of 3",
      "ar: 2 of 3",
      "boundary: 5 of 5",
      "case: 3 of 3",
      "chem-prog: 7 of 7",
      "comparator: 5 of 5",
      "currency: 7 of 7",
      "date: 6 of 6",
      "de: 15 of 15",
      "decimal-comma: 3 of 3",
      "decimal-end: 4 of 4",
      "diacritics: 3 of 3",
      "el: 2 of 2",
      "en: 139 of 149",
      "es: 5 of 5",
      "fi: 1 of 2",
      "formerly-now: 2 of 4",
      "fr: 5 of 5",
      "fraction: 4 of 4",
      "german: 4 of 4",
      "hard: 5 of 17",
      "he: 3 of 3",
      "hedge: 4 of 5",
      "hi: 2 of 2",
      "initials-title: 4 of 5",
      "invisible: 3 of 3",
      "ip: 5 of 5",
      "ja: 4 of 4",
      "ko: 2 of 2",
      "leading-zeros: 3 of 3",
      "list-candidates: 4 of 4",
      "markup: 2 of 2",
      "negation: 7 of 8",
      "number-words: 5 of 5",
      "ordinal: 4 of 5",
      "paraphrase: 2 of 4",
      "percent: 3 of 3",
      "phone-part: 4 of 4",
      "pl: 3 of 3",
      "possessive-plural: 3 of 3",
      "power: 3 of 3",
      "quotes-dashes: 3 of 3",
      "range: 2 of 2",
      "ratio-score: 4 of 4",
      "ru: 3 of 3",
      "sign: 3 of 3",
      "single-letter: 6 of 6",
      "sv: 1 of 1",
      "th: 3 of 3",
      "thousands: 6 of 6",
      "time: 4 of 5",
      "tr: 3 of 3",
      "unit: 6 of 6",
      "version: 4 of 4",
      "year: 3 of 3",
      "yes-no: 6 of 7",
      "zh: 5 of 5",
    ]
  `)
})
