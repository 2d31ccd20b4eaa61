import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { gembench, type CliEnded } from '../../test-support/cli.ts'
import { folderOf } from '../../test-support/dataset-copies/write-files.ts'

const words = ['amber', 'birch', 'cedar', 'delta', 'ember', 'fjord', 'grove', 'heron', 'inlet', 'jetty']
const placeOf = (number: number): string => `${words[number >> 1] ?? ''}${number % 2 === 0 ? 'north' : 'south'}`
const keeperOf = (number: number): string => `Captain ${(words[number % 7] ?? '').toUpperCase()}`
const factOf = (number: number): string => `${keeperOf(number)} keeps the ${placeOf(number)} lighthouse`
/** Of these questions no answer is right, since the reference says otherwise. */
const isHard = (number: number): boolean => number % 2 === 0 && number < 18

let base = ''

/** Ten documents with two questions each, of which 11 of 20 are answered right; their run is `before`. */
beforeAll(async () => {
  const rows = Array.from(
    { length: 20 },
    (_, number) =>
      `Who keeps the ${placeOf(number)} lighthouse?,${isHard(number) ? 'Nobody' : keeperOf(number)},${factOf(number)}`,
  )
  const documents = words.map(
    (word, index) => [`docs/${word}.md`, `${factOf(2 * index)}.\n\n${factOf(2 * index + 1)}.\n`] as const,
  )
  base = folderOf({
    ...Object.fromEntries(documents),
    'questions.csv': ['question,answer,evidence', ...rows].join('\n'),
    'gembench.yaml':
      'name: keepers\ndataset: { documents: docs, questions: questions.csv }\nmethods: [bm25, oracle]\nscorers: [contains, retrieval]\nchunks: { size: 20 }\nmodels: { embed: fake }\nbudget: { passages: 2, tokens: 60 }\n',
  })
  const { out } = await gembench(base, 'run')
  expect(out).toMatch(/^bm25 +55\.0 /m)
  const [name = ''] = readdirSync(join(base, 'results'))
  cpSync(join(base, 'results', name), join(base, 'before'), { recursive: true })
})

/** Changes a copy of the folder and runs its config again into `results`. */
async function editDocuments(change: (here: string) => void): Promise<{
  readonly ran: CliEnded
  /** The table with all its notes. */
  readonly table: string
  readonly gate: (...flags: readonly string[]) => Promise<CliEnded>
}> {
  const here = folderOf({})
  cpSync(base, here, { recursive: true })
  rmSync(join(here, 'results'), { recursive: true })
  change(here)
  const ran = await gembench(here, 'run')
  const [after = ''] = readdirSync(join(here, 'results'))
  const gate = (...flags: readonly string[]) =>
    gembench(here, 'diff', 'before#bm25', `results/${after}`, '--fail-if', 'worse', ...flags)
  return { ran, table: readFileSync(join(here, 'results', after, 'table.md'), 'utf8'), gate }
}

/**
 * Two documents are edited, one so that it says the same in other words, one is deleted and one added: the evidence of
 * 6 of 20 questions is gone.
 */
const edit = (here: string): void => {
  writeFileSync(join(here, 'docs', 'ferries.md'), 'Ferries leave at noon.\n')
  writeFileSync(join(here, 'docs', 'amber.md'), 'Nobody is in the ambernorth lighthouse.\n\nNor in ambersouth.\n')
  const newTexts = [2, 3].map((number) => `The ${placeOf(number)} lighthouse has a keeper, ${keeperOf(number)}.`)
  writeFileSync(join(here, 'docs', 'birch.md'), `${newTexts.join('\n\n')}\n`)
  rmSync(join(here, 'docs', 'cedar.md'))
}

test('asks and compares all questions after edits remove the evidence of 6 of 20', async () => {
  const { ran, gate } = await editDocuments(edit)
  expect(ran.code).toBe(0)
  const note =
    'no retrieval score for 6 of 20 questions: the evidence is not in the documents (questions.csv:2 "Captain AMBER keeps the ambernorth lighthouse", questions.csv:3 "Captain BIRCH keeps the ambersouth lighthouse", questions.csv:4 "Captain CEDAR keeps the birchnorth lighthouse", …); copy its words exactly'
  expect(ran.err).toContain(`note: ${note}\n`)
  expect(ran.out).toContain(`The data: ${note}.`)
  const { code, out, err } = await gate()
  expect(out).toMatch(/^bm25 +55\.0 +40\.0 +3 +0 +9 +8$/m)
  expect(out).toMatch(/: 1 document added \(ferries\.md\), 1 .* \(cedar\.md\), 2 .* edited \(amber\.md, birch\.md\)\./)
  expect(out).toContain('6 questions without their evidence in the second run: 1, 2, 3, 4, 5, 6')
  expect(err).toContain('change -15.0 points')
  expect(code).toBe(0)
  expect((await gate('--margin', '.03')).code).toBe(6)
})

test('compares a retrieval metric on the 14 questions that have it in both runs', async () => {
  const { table, gate } = await editDocuments(edit)
  expect(table).toContain('retrieval did not score 6 of 20 answers of bm25 (its evidence is not in the documents)')
  const { code, out, err } = await gate('--metric', 'recall@2')
  expect(out).toMatch(/^bm25 +100\.0 +100\.0 .* 6$/m)
  expect(err).toMatch(/^missing .*: bm25: 6 questions without a score .*: 1, 2, 3, 4, 5, 6; --accept-missing ignores/)
  expect(code).toBe(4)
  const gateResult = await gate('--metric', 'recall@2', '--accept-missing')
  expect(gateResult.err).toMatch(/^passed --fail-if worse: .*; accepted: bm25: 6 questions without a score/)
  expect(gateResult.code).toBe(0)
})

test('fails the gate for removed questions unless they are accepted', async () => {
  const { ran, gate } = await editDocuments((here) => {
    const lines = readFileSync(join(here, 'questions.csv'), 'utf8').split('\n')
    writeFileSync(join(here, 'questions.csv'), lines.filter((_, line) => ![1, 2, 3, 5, 7, 9].includes(line)).join('\n'))
  })
  expect(ran.out).toMatch(/^bm25 +71\.4 /m)
  const { code, out, err } = await gate()
  expect(out).toMatch(/^bm25 +71\.4 +71\.4 +0 +0 +4 +10$/m)
  expect(err).toMatch(/^missing .*: bm25: 6 questions not in the second run, .*: 1, 2, 3, 5, 7, 9; /)
  expect(code).toBe(4)
  const gateResult = await gate('--accept-missing')
  expect(gateResult.err).toMatch(/accepted: bm25: 6 questions not in the second run, .*: 1, 2, 3, 5, 7, 9\n$/)
  expect(gateResult.code).toBe(0)
  const json = await gate('--json')
  expect(JSON.parse(json.out)).toMatchObject({
    rows: [
      {
        missing: [{ id: '1', why: 'notAsked' }, {}, {}, {}, {}, {}],
        // ids are numbers of lines, and questions are paired by their texts
        questions: expect.arrayContaining([expect.objectContaining({ id: '4', afterId: '1' })]),
      },
    ],
  })
})

test('fails the gate and names added documents where these change answers', async () => {
  const { gate } = await editDocuments((here) => {
    for (const number of [1, 3, 5, 7, 9, 11]) {
      const place = `the ${placeOf(number)} lighthouse`
      writeFileSync(
        join(here, 'docs', `rumour${number}.md`),
        `Old Tom keeps ${place}. Nothing else is known of ${place}.\n`,
      )
    }
  })
  const { code, out } = await gate()
  expect(out).toContain('6 documents added (rumour1.md, rumour11.md, rumour3.md, ')
  expect(out).toMatch(/^after +Old Tom$/m)
  expect(code).toBe(4)
})
