import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { UserError } from '../../errors.ts'
import { hostileTexts } from '../../test-support/hostile-texts.ts'
import { labelsCsv, type SampledAnswer } from './draw-sample.ts'
import { readLabels } from './read-labels.ts'

const hostile = [
  '=HYPERLINK("http://x")',
  '+1',
  '-1',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  '＝1',
  'a,"b"\r\n;c\n\n',
  ...Object.values(hostileTexts).map((make) => make(50)),
]
const answers = hostile.map((text, i): SampledAnswer => ({
  ids: [`a${i}`],
  question: text,
  answer: text,
  reference: text,
  context: text,
}))

test('a labels file preserves any text, and contains no formula', async () => {
  const text = labelsCsv('=judged', answers)
  const cells = parse(text, { bom: true, columns: true })
  expect(cells).toHaveLength(hostile.length)
  for (const record of cells)
    for (const cell of Object.values(record as Record<string, string>)) expect(cell).not.toMatch(/^[=+\-@\t\r＝]/)
  for (const delimiter of [',', ';', '\t']) {
    const lines = parse(text, { bom: true }).map((record) =>
      [...record.slice(0, -1), record.at(-1) === 'verdict' ? 'verdict' : '1']
        // a text of tabs is refused where a quoted cell holds a tab and a line break
        .map((cell) => `"${(delimiter === '\t' ? cell.replaceAll('\t', ' ') : cell).replaceAll('"', '""')}"`)
        .join(delimiter),
    )
    const labels = await readLabels('l.csv', lines.join('\r\n'), () => [0, 1])
    expect(labels.scorer).toBe('=judged')
    expect(labels.lines).toEqual(answers.map(({ ids }) => ({ ids, verdict: 1 })))
  }
})

const read = (text: string, range: readonly [number, number] = [0, 1]) => readLabels('l.csv', text, () => range)

test('reads verdicts as numbers, with a point or a comma, or as words', async () => {
  const verdicts = ['1', '0', '.5', '0.25', ' 0,5 ', 'yes', 'No', 'RIGHT', 'wrong', 'true', 'FALSE', '']
  const lines = verdicts.map((verdict, i) => `a${i};s;${verdict}`)
  expect((await read(['id;scorer;verdict', ...lines].join('\n'))).lines.map(({ verdict }) => verdict)).toEqual([
    ...[1, 0, 0.5, 0.25, 0.5, 1, 0, 1, 0, 1, 0, null],
  ])
  expect((await read('id,scorer,verdict\na1,s,4\n', [1, 5])).lines[0]?.verdict).toBe(4)
})

test.each([
  ['', 'l.csv: has no line below its column names'],
  ['id,scorer,verdcit\na1,s,1\n', 'l.csv:1: has no column "verdict" (its columns: id, scorer, verdcit)'],
  ['id,scorer,verdict\n', 'l.csv: has no line below its column names; draw it again with "gembench judge sample"'],
  ['id,scorer,verdict\na1,s,\n', 'l.csv: no line has a verdict yet; fill in the column "verdict"'],
  ['id,scorer,verdict\na1,s,1\na2,s,2\n', 'l.csv:3: verdict "2": expected a number from 0 to 1, or yes or no'],
  ['id,scorer,verdict\na1,s,yess\n', 'l.csv:2: verdict "yess": expected a number'],
  ['id,scorer,verdict\na1,s,1e0\n', 'l.csv:2: verdict "1e0": expected a number from 0 to 1, or yes or no'],
  ['id,scorer,q,verdict\r\na1,s,"x, ""y""\r\nz",maybe\r\n', 'l.csv:2: verdict "maybe": expected a number'],
  ['\uFEFFid,scorer,verdict\n\n\n  ,s,1\n', 'l.csv:4: the id is missing; restore it, or remove the line'],
  [
    'id,scorer,verdict\na1,s,1\na2,t,1\n',
    'l.csv:3: another scorer than above; check the labels of one scorer at a time',
  ],
  [
    'id,scorer,verdict\na1,s,1\na2 a1,s,0\n',
    'l.csv:3: this answer has another verdict on an earlier line; keep one of the two lines',
  ],
  ['id,scorer,verdict\na1,s,"1\n', 'l.csv:2: malformed CSV: a quote in this record is not closed'],
  ['id,scorer,verdict\na1,s\n', 'l.csv:2: malformed CSV: this record has 2 cells, and the first row names 3 columns'],
])('%j is refused in one line', async (text, message) => {
  const refusal = await read(text).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(UserError)
  expect((refusal as UserError).message).toContain(message)
  expect((refusal as UserError).message).not.toContain('\n')
})
