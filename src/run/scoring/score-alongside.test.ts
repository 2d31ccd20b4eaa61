import { mkdir, readFile, rm } from 'node:fs/promises'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tinyPlan, tinyProject, tinySettings } from '../../test-support/tiny.ts'
import { run } from '../run.ts'
import { silent } from '../progress.ts'

/** Questions take time. */
const slow = { models: { complete: { use: 'fake', latencyMs: 10 }, embed: 'fake' }, concurrency: 1 }

/** Scores that are in the file at each outcome of asking, and the ticks of scoring in all. */
async function scoresWhileAsking(scorers: readonly string[]) {
  const project = await tinyProject(slow)
  const seen: number[] = []
  const shown = { total: 0, ticks: 0 }
  let folder = ''
  const settings = tinySettings(project, {
    begins: async (named: string) => {
      folder = named
    },
  })
  const linesOf = (file: string) => {
    const path = join(folder, file)
    return existsSync(path) ? readFileSync(path, 'utf8').split('\n').length - 1 : 0
  }
  const outcome = await run(await tinyPlan(project, [`scorers=${JSON.stringify(scorers)}`]), settings, {
    ...silent,
    start(stage, total) {
      if (stage === 'judge') shown.total = total
    },
    tick(stage) {
      if (stage === 'ask') seen.push(linesOf('scores.jsonl'))
      else shown.ticks++
    },
  })
  return { seen, shown, outcome }
}

test('answers are scored while others are asked; how many there are is said when all are asked', async () => {
  const { seen, shown, outcome } = await scoresWhileAsking(['accuracy', 'qasper-f1', 'retrieval'])
  expect(seen.at(-1)).toBeGreaterThan(10)
  expect(outcome.scores.made).toBeGreaterThan(30)
  expect(shown).toEqual({ total: outcome.scores.made, ticks: outcome.scores.made })
})

test('where a scorer asks a model, no answer is scored before all are asked', async () => {
  const { seen, shown, outcome } = await scoresWhileAsking(['accuracy', 'choke'])
  expect(Math.max(...seen)).toBe(0)
  expect(shown).toEqual({ total: outcome.scores.made, ticks: outcome.scores.made })
  expect(outcome.scores.made).toBeGreaterThan(0)
})

test('what cannot be written ends the run, also while questions are asked, and is said', async () => {
  const project = await tinyProject()
  const first = await run(await tinyPlan(project), tinySettings(project))
  const whole = await readFile(join(first.folder, 'trials.jsonl'), 'utf8')
  await rm(first.folder, { recursive: true })
  await mkdir(join(first.folder, 'scores.jsonl'), { recursive: true })
  await expect(run(await tinyPlan(project), tinySettings(project))).rejects.toThrow('EISDIR')
  const begun = await readFile(join(first.folder, 'trials.jsonl'), 'utf8')
  expect(whole.startsWith(begun)).toBe(true)
  expect(begun.length).toBeLessThan(whole.length)
})

test('after an abort the rest is scored, and the bytes are those of one run', async () => {
  const project = await tinyProject(slow)
  const controller = new AbortController()
  let ticks = 0
  const tick = (): void => {
    if (++ticks === 12) controller.abort()
  }
  const stopped = run(await tinyPlan(project), tinySettings(project, { signal: controller.signal }), {
    ...silent,
    tick,
  })
  await expect(stopped).rejects.toThrow(/abort/i)
  const resumed = await run(await tinyPlan(project), tinySettings(project))
  expect(resumed.scores.kept).toBeGreaterThan(0)
  const other = await tinyProject(slow)
  const once = await run(await tinyPlan(other), tinySettings(other))
  for (const file of ['trials.jsonl', 'scores.jsonl'])
    expect(await readFile(join(resumed.folder, file), 'utf8')).toBe(await readFile(join(once.folder, file), 'utf8'))
  expect(resumed.scores.kept + resumed.scores.made).toBe(once.scores.made)
})

test.each([
  ['while others are asked', ['squad', 'retrieval']],
  ['after all are asked', ['squad', 'retrieval', 'choke']],
])('answers that a scorer declines are counted apart from scores: %s', async (_when, scorers) => {
  const { outcome } = await scoresWhileAsking(scorers)
  const lines = (await readFile(join(outcome.folder, 'scores.jsonl'), 'utf8')).trimEnd().split('\n')
  const declined = lines.filter((line) => 'skipped' in (JSON.parse(line) as object)).length
  expect(declined).toBeGreaterThan(0)
  expect(outcome.scores).toEqual({ made: lines.length, kept: 0, failed: 0, skipped: declined })
})
