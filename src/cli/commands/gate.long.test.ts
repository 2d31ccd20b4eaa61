import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { gembench, type CliEnded } from '../../test-support/cli.ts'

const count = 40
const words = ['amber', 'birch', 'cedar', 'delta', 'ember', 'fjord', 'grove', 'heron', 'inlet', 'jetty']
/** A word for each number: `amberbirch`, … */
const nameOf = (index: number): string => `${words[Math.floor(index / 10)] ?? ''}${words[index % 10] ?? ''}`
const keeper = (index: number): string =>
  `Captain ${(words[index % 7] ?? '').replace(/^./, (letter) => letter.toUpperCase())}son`
const factOf = (index: number): string => `${keeper(index)} keeps the ${nameOf(index)} lighthouse`

let base = ''

/** A folder of forty documents with a question each; the first run of its config is `before`. */
beforeAll(async () => {
  base = mkdtempSync(join(tmpdir(), 'gembench-gate-'))
  mkdirSync(join(base, 'docs'))
  const questions = Array.from({ length: count }, (_, index) => {
    const fact = factOf(index)
    writeFileSync(
      join(base, 'docs', `${nameOf(index)}.md`),
      `${fact}. It stands on a rock, and ships pass it by night.\n`,
    )
    return `Who keeps the ${nameOf(index)} lighthouse?,${keeper(index)},${fact}`
  })
  writeFileSync(join(base, 'questions.csv'), ['question,answer,evidence', ...questions].join('\n'))
  writeFileSync(
    join(base, 'gembench.yaml'),
    'name: keepers\ndataset: { documents: docs, questions: questions.csv }\nmethods: [bm25]\nmodels: { embed: fake }\nbudget: { passages: 1, tokens: 60 }\n',
  )
  const { out } = await gembench(base, 'run')
  expect(out).toMatch(/^bm25 +100\.0 /m)
  const [name = ''] = readdirSync(join(base, 'results'))
  cpSync(join(base, 'results', name), join(base, 'before'), { recursive: true })
})

/** Changes a copy of the folder, runs its config again and closes the gate against the run before. */
async function gate(change: (docs: string) => void): Promise<CliEnded> {
  const here = mkdtempSync(join(tmpdir(), 'gembench-gate-'))
  cpSync(base, here, { recursive: true })
  rmSync(join(here, 'results'), { recursive: true })
  change(join(here, 'docs'))
  const ran = await gembench(here, 'run', '--quiet')
  expect(ran.code).toBe(0)
  const [after = ''] = readdirSync(join(here, 'results'))
  return gembench(here, 'diff', 'before', `results/${after}`, '--fail-if', 'worse', '--margin', '.03')
}

const write = (docs: string, name: string, text: string): void => writeFileSync(join(docs, name), text)

test('names edited, removed and added documents and compares all questions', async () => {
  const { code, out, err } = await gate((docs) => {
    write(docs, `${nameOf(0)}.md`, `${factOf(0)}. It stands on a cliff.\n`)
    write(docs, `${nameOf(1)}.md`, `Nobody keeps the ${nameOf(1)} lighthouse any more.\n`)
    rmSync(join(docs, `${nameOf(2)}.md`))
    write(docs, 'ferries.md', 'Ferries leave at noon.\n')
  })
  expect(out).toContain(
    'The files of the dataset differ: 1 document added (ferries.md), 1 document removed (ambercedar.md), 2 documents edited (amberamber.md, amberbirch.md). Questions of equal text and reference are compared.',
  )
  expect(out).toContain('2 questions without their evidence in the second run: 2, 3')
  expect(err).toMatch(
    /^not determined --fail-if worse: bm25: no difference shown; change -5\.0 points .* on 40 questions, /,
  )
  expect(code).toBe(6)
})

/** A document that says otherwise than those of the first lighthouses. */
const rumours = (docs: string, first: number): void =>
  Array.from({ length: first }, (_, index) => index).forEach((index) =>
    write(
      docs,
      `rumour${index}.md`,
      `Old Tom keeps the ${nameOf(index)} lighthouse. The ${nameOf(index)} lighthouse is dark.\n`,
    ),
  )

test('ends with exit code 4 when added documents change many answers', async () => {
  const { code, out, err } = await gate((docs) => rumours(docs, 20))
  expect(err).toMatch(/^worse --fail-if worse: bm25: worse; change -\d+\.\d points .* on 40 questions/)
  expect(out).toMatch(/regressed +1 → 0 +1\n/)
  expect(code).toBe(4)
})

test('ends with exit code 6 after a few changed answers, with the questions needed', async () => {
  const { code, err } = await gate((docs) => rumours(docs, 2))
  expect(err).toMatch(
    /^not determined --fail-if worse: bm25: no difference shown; change -\d\.\d points .* questions would show/,
  )
  expect(code).toBe(6)
})
