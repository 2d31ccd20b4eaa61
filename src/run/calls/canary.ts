import { bm25Index } from '../../math/bm25.ts'
import { words } from '../../text/words.ts'

/** What every row is computed with, on a fixed corpus: BM25 scores, functions of `Math`, sorting and JSON. */
function look(): readonly (number | string)[] {
  const index = bm25Index(corpus.map(words))
  const found = index.search(words('who ground the oats at the mill'), corpus.length)
  const { log, exp, sqrt, pow, max, min, floor, round, abs } = Math
  return [
    ...found.flatMap(({ index: row, score }) => [row, score]),
    ...[log(2), exp(2), sqrt(2), pow(2, 0.5), max(1, 2), min(1, 2), floor(1.5), round(1.5), abs(-1)],
    ...[3, 1, 2].sort((a, b) => a - b),
    JSON.stringify({ a: [1, 'b'], c: null }),
    String((JSON.parse('{"a":1}') as { a: unknown }).a),
  ]
}

const corpus = [
  'The mill at Orrin ground oats for three parishes.',
  'The bakery in Harrowgate sells rye bread.',
  'Who built the mill? It was Tamsin Vale who built it.',
]

/** The scores of the corpus where nothing was changed, by row. */
const known: readonly (readonly [row: number, score: number])[] = [
  [0, 1.9366074597526104],
  [2, 1.030530431347177],
  [1, 0.14673779409288196],
]

const before = look()

/** Whether something in this process has changed what every row is computed with. */
export function isChanged(): boolean {
  const now = look()
  let isSame = now.length === before.length
  for (let at = 0; at < before.length; at++) isSame = isSame && now[at] === before[at]
  let at = 0
  for (const [row, score] of known) {
    const [foundRow, found] = [now[at], now[at + 1]]
    const difference = Number(found) - score
    isSame = isSame && foundRow === row && difference < 1e-9 && difference > -1e-9
    at += 2
  }
  return !isSame
}
