import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tinyPlan, tinyProject, tinySettings } from '../../test-support/tiny.ts'
import { run } from '../run.ts'
import { noteOnBudget, noteOnReferences } from './notes.ts'
import { prepare } from './prepare.ts'

/** What is said of a project before it is run. */
async function message(project: string, set: readonly string[] = []) {
  const setup = await prepare(await tinyPlan(project, set), tinySettings(project, { cache: false }))
  try {
    return [noteOnBudget(setup), noteOnReferences(setup.statistics)]
  } finally {
    await setup.close()
  }
}

test('no message if a chunk fits the budget and every question has a reference answer', async () => {
  const project = await tinyProject()
  expect(await message(project)).toEqual([undefined, undefined])
  expect(await message(project, ['chunks.by=none', 'budget.tokens=400'])).toEqual([undefined, undefined])
})

test('a run warns before its first question that no chunk fits the budget', async () => {
  const project = await tinyProject({ methods: ['bm25'] })
  const warnings: string[] = []
  const tell = { warn: (line: string) => void warnings.push(line) }
  await run(await tinyPlan(project), tinySettings(project, tell))
  expect(warnings).toEqual([])
  const start = (stage: string): void => void warnings.push(stage)
  const progress = { start, tick: () => undefined, end: () => undefined }
  await run(
    await tinyPlan(project, ['chunks.by=none', 'budget.tokens=1']),
    tinySettings(project, { ...tell, progress }),
  )
  expect(warnings).toEqual([
    expect.stringMatching(
      /^note: no chunk fits the budget of 1 token: the shortest has \d+; raise budget.tokens or lower chunks.size$/,
    ),
    'ask',
    'judge',
  ])
})

test('questions without a reference answer are counted', async () => {
  const project = await tinyProject({
    dataset: { use: 'files', path: 'data/documents', options: { questions: 'questions.jsonl' } },
    methods: ['bm25'],
  })
  const questions = (...lines: readonly object[]): Promise<void> =>
    writeFile(join(project, 'questions.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const [bare, withAnswer] = [{ question: 'Who built it?' }, { question: 'Who left?', answer: 'Edric Sloe' }]
  await questions(bare, withAnswer)
  expect(await message(project)).toEqual([undefined, expect.stringMatching(/^1 of 2 questions without an answer/)])
  await questions(bare, { question: 'Who left?', options: ['Maud', 'Edric'], correct: 2 }, bare)
  expect((await message(project))[1]).toMatch(/^2 of 3 questions without an answer/)
})
