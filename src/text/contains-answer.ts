import { z } from 'zod'
import { answerTokens } from './words.ts'

/**
 * Whether the words of a reference stand in an answer, one after the other, normalised as SQuAD does; numbers and dates
 * in any of their usual spellings count as the same. Of "yes" and "no", whether the answer begins with it.
 */
export function containsAnswer(answer: string, reference: string): boolean {
  // SQuAD deletes a hyphen, which makes one word of two
  return [answerTokens, tokensOfParts].some((tokensOf) => {
    const [said, wanted] = [tokensOf(spelt(answer)), tokensOf(spelt(reference))]
    const [only] = wanted
    if (only === undefined) return answer.trim() === reference.trim()
    if (wanted.length === 1 && (only === 'yes' || only === 'no')) return said[0] === only
    return said.some((_, start) => wanted.every((token, i) => said[start + i] === token))
  })
}

const tokensOfParts = (text: string): string[] => answerTokens(text.replace(/[-–/]/g, ' '))

/** A text in lower case with one spelling of each number and date. */
function spelt(text: string): string {
  const plain = text
    .replace(/(?<=\d)[\u00A0\u2009\u202F'’,](?=\d{3}(?!\d))/g, '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[‘’]/g, "'")
  return withDates(withNumbers(units.reduce((text, [sign, word]) => text.replace(sign, word), plain)))
}

const units: readonly (readonly [RegExp, string])[] = [
  [/\s*%|\bper cent\b/g, ' percent'],
  [/\$\s*(\d+(?:\.\d+)?(?:\s(?:thousand|million|billion))?)/g, '$1 dollars'],
  [/€\s*(\d+(?:\.\d+)?(?:\s(?:thousand|million|billion))?)/g, '$1 euros'],
  [/£\s*(\d+(?:\.\d+)?(?:\s(?:thousand|million|billion))?)/g, '$1 pounds'],
  [/(?<=\d)\s*€/g, ' euros'],
]

const small = `zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
seventeen eighteen nineteen`.split(/\s/)
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
const ones = small.slice(1, 10)
const large: Readonly<Record<string, number>> = { hundred: 100, thousand: 1e3, million: 1e6, billion: 1e9 }

const wordsUnder100 = new RegExp(
  `\\b(?:(${tens.join('|')})(?:[-\\s](${ones.join('|')}))?|(${small.join('|')}))\\b`,
  'g',
)
const multiple = /\b(\d+(?:\.\d+)?) (hundred|thousand|million|billion)\b(?:(?: and)? (\d{1,2})\b)?/g

/** Digits for words, 1500000 for "1.5 million", 27.5 for 27.50; a decimal point is kept from being deleted. */
function withNumbers(text: string): string {
  const digits = text.replace(wordsUnder100, (_, ten?: string, one?: string, under20?: string) =>
    String(
      under20 === undefined
        ? 20 + 10 * tens.indexOf(String(ten)) + small.indexOf(one ?? 'zero')
        : small.indexOf(under20),
    ),
  )
  return digits
    .replace(multiple, (_, count: string, size: string, rest = '0') =>
      String(Math.round(Number(count) * Number(large[size]) * 100) / 100 + Number(rest)),
    )
    .replace(/(?<![\d.])\d+\.\d+(?![\d.])/g, (decimal) => String(Number(decimal)).replace('.', '·'))
}

const months = 'january february march april may june july august september october november december'.split(' ')
const [year, month, day] = [
  '(?<year>\\d{4})',
  `(?<month>${months.map((name) => `${name}|${name.slice(0, 3)}\\.?`).join('|')}|sept\\.?)`,
  '(?<day>\\d{1,2})(?:st|nd|rd|th)?',
]
// of two numbers before a year with slashes the day is the one above 12; otherwise it cannot be told
const above12 = '(?<day>1[3-9]|2\\d|3[01])'
const dates = [
  `${year}-(?<month>\\d{1,2})-${day}`,
  `${day}\\.\\s?(?<month>\\d{1,2})\\.\\s?${year}`,
  `${above12}/(?<month>\\d{1,2})/${year}`,
  `(?<month>\\d{1,2})/${above12}/${year}`,
  `${day}(?: of)? ${month},? ${year}`,
  `${month} ${day},? ${year}`,
  `${month},? ${year}`,
  `${day}(?: of)? ${month}`,
  `${month} ${day}`,
].map((form) => new RegExp(`(?<![a-z\\d])${form}(?![a-z\\d])`, 'g'))

const dateParts = z.object({ year: z.string().optional(), month: z.string(), day: z.coerce.number().optional() })

/** Dates as year, name of the month and day, so that a year, or a month and its year, stands in one of its days. */
const withDates = (text: string): string =>
  dates.reduce(
    (changed, form) =>
      changed.replace(form, (date: string, ...rest: readonly unknown[]) => {
        const { year = '', month, day = '' } = dateParts.parse(rest.at(-1))
        const name = monthNamed(month)
        return name === undefined ? date : `${year} ${name} ${day}`
      }),
    text,
  )

const monthNamed = (named: string): string | undefined =>
  /^\d+$/.test(named) ? months[Number(named) - 1] : months.find((name) => name.startsWith(named.slice(0, 3)))
