import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test, vi } from 'vitest'
import type { IndexLine, TrialLine } from '../../records.ts'
import { scoreTable } from '../../report/render/tables.ts'
import { notesOf } from '../../report/render/notes.ts'
import { tableOf } from '../../report/table/table.ts'
import { openResults } from '../../run/index.ts'
import { run, type Outcome } from '../../run/run.ts'
import { readResults } from '../../test-support/read-results.ts'
import { tinyPlan, tinyProject, tinySettings } from '../../test-support/tiny.ts'
import { testMethod } from '../../testing/index.ts'
import { command } from './command.ts'

const program = fileURLToPath(new URL('../../test-support/program.js', import.meta.url))

testMethod(command, { options: { run: [process.execPath, program] } })

const method = (mode: readonly string[], more: object = {}) => ({
  use: 'command',
  label: 'mine',
  run: [process.execPath, program, ...mode],
  ...more,
})

interface Ended extends Outcome {
  readonly project: string
  readonly indexes: readonly IndexLine[]
  readonly asked: readonly TrialLine[]
}

async function ran(methods: readonly unknown[], more: object = {}, into?: string): Promise<Ended> {
  const project = into ?? (await tinyProject({ methods, ...more }))
  const outcome = await run(await tinyPlan(project), tinySettings(project))
  const { indexes, trials: asked } = await readResults(outcome.folder)
  return { ...outcome, project, indexes, asked }
}

const failures = ({ asked }: Pick<Ended, 'asked'>): Readonly<Record<string, string>> =>
  Object.fromEntries(asked.flatMap(({ question, failure }) => (failure ? [[question.id, failure.message]] : [])))

/** Processes of the program that are still there; of one mode. */
const alive = (mode: string): number =>
  execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(program) && line.trimEnd().endsWith(` ${mode}`)).length

test('a program indexes and retrieves, its warnings are counted, and it is ended with the run', async () => {
  const { asked, indexes, trials } = await ran([method(['good', 'unused'])])
  expect(trials).toEqual({ made: 3, kept: 0, failed: 0 })
  expect(asked[0]?.context[0]).toMatchObject({ kind: 'chunk', score: 5, documents: ['the-mill'] })
  expect(indexes[0]?.warnings).toEqual({ 'texts that were empty': 2 })
  expect(alive('unused')).toBe(0)
})

test('calls of an index that was built again are counted in a note', async () => {
  const project = await tinyProject({ methods: [method(['asks-again', 'builder'])] })
  const { manifest, folder } = await run(await tinyPlan(project), tinySettings(project, { cache: false }))
  expect(manifest.callsInNoLine).toBe(1)
  expect(notesOf(manifest, await tableOf(manifest, await openResults(folder, '')))).toContain(
    'Not counted in any row: 1 call, such as those of a rebuilt index.',
  )
  const quiet = await ran([method(['models'], { answers: true })])
  expect(quiet.manifest).not.toHaveProperty('callsInNoLine')
})

describe('calls to models', () => {
  const both = { answers: true }

  test('count as usage by phase, and come from the cache in a second run', async () => {
    const first = await ran([method(['models'], both)])
    expect(first.asked.every(({ failure }) => failure === undefined)).toBe(true)
    expect(first.indexes[0]).toMatchObject({
      stats: { said: 'One. Two.', json: '{}' },
      usage: { calls: 3, embeddingCalls: 1, embeddedTexts: first.indexes[0]?.chunks },
    })
    expect(first.asked[0]?.usage).toMatchObject({
      retrieve: { calls: 1, promptTokens: 0, embeddingCalls: 1 },
      answer: { calls: 1, completionTokens: 2 },
    })
    expect(first.asked[0]?.answer).toEqual({ text: '1 passages' })
    const settings = tinySettings(first.project, { results: join(first.project, 'again') })
    const again = await run(await tinyPlan(first.project), settings)
    const lines = await readFile(join(again.folder, 'trials.jsonl'), 'utf8')
    expect(lines).toBe(await readFile(join(first.folder, 'trials.jsonl'), 'utf8'))
    const { usage } = await tableOf(again.manifest, await openResults(again.folder, ''))
    const made = usage.filter(({ phase, calls, cached }) => phase !== 'judge' && calls !== cached)
    expect(made).toEqual([])
    expect(usage.map(({ calls }) => calls)).toEqual([3, 3, 3, 0])
  })

  test('need the token of the process and a pending request', async () => {
    const wrong = failures(await ran([method(['wrong-key'])]))
    expect(wrong['builder']).toMatch(
      /^the process ended with exit code 1 \(its error stream ends: .*401 the key is wrong/,
    )
    const late = failures(await ran([method(['late'])]))
    expect(late['builder']).toMatch(/410 request 1 is not under way: models answer until/)
  })
})

describe('a program that fails is a counted failure', () => {
  test.each([
    ['dies', `the process ended with exit code 3 (its error stream ends: second line [31m | key *** | 4 | 5 | 6)`],
    ['noise', 'the process printed a line that is no JSON object: "Loading model 100%"'],
    ['says-error', 'this question is too hard'],
    ['unknown-chunk', 'command returned a passage (number 1) made of an unknown chunk "no such chunk"'],
    ['no-list', 'command returned no list of passages'],
  ])('%s at one question: that one fails, and the others are as ever', async (mode, said) => {
    const ended = await ran([method([mode, 'oven'])])
    expect(failures(ended)).toEqual({ oven: said })
    expect(ended.asked.filter(({ failure }) => failure === undefined)).toHaveLength(2)
    const good = await ran([method(['good'])])
    const contexts = (of: Ended) => of.asked.flatMap(({ failure, context }) => (failure ? [] : [context]))
    expect(contexts(ended)).toEqual(
      contexts({ ...good, asked: good.asked.filter(({ question }) => question.id !== 'oven') }),
    )
    expect(alive('oven')).toBe(0)
  })

  test('fails a question after the timeout, with its last output, and restarts', async () => {
    const ended = await ran([method(['hangs', 'oven'])], { limits: { retrieveSeconds: 2 } })
    expect(failures(ended)).toEqual({
      oven: 'retrieve() did not end within 2 s (limits.retrieveSeconds) (its error stream ends: waiting for nothing)',
    })
  })

  test('fails every question if it dies or hangs while indexing', async () => {
    const dead = failures(await ran([method(['dies-at-index'])]))
    expect(Object.keys(dead)).toEqual(['builder', 'oven', 'price'])
    expect(dead['price']).toMatch(/^the process ended with exit code 1 \(its error stream ends: .*no memory left/)
    const hung = failures(await ran([method(['hangs-at-index'])], { limits: { indexSeconds: 2 } }))
    expect(hung['price']).toBe('index() did not end within 2 s (limits.indexSeconds)')
    expect(alive('hangs-at-index')).toBe(0)
  })

  test('fails only the question that ended it, at any concurrency', async () => {
    const lines: string[] = []
    for (const concurrency of [1, 3]) {
      const ended = await ran([method(['at-once', 'oven'])], { concurrency })
      expect(failures(ended)).toEqual({ oven: 'the process ended with exit code 4' })
      lines.push(await readFile(join(ended.folder, 'trials.jsonl'), 'utf8'))
    }
    expect(lines[0]).toBe(lines[1])
  })

  test('ends when a stopped run aborts', async () => {
    const project = await tinyProject({ methods: [method(['hangs-at-index', 'stopped'])] })
    const controller = new AbortController()
    const ended = run(await tinyPlan(project), tinySettings(project, { signal: controller.signal }))
    const stopped = expect(ended).rejects.toMatchObject({ name: 'AbortError' })
    await vi.waitUntil(() => alive('stopped') === 1, { timeout: 400_000, interval: 100 })
    controller.abort()
    await stopped
    await vi.waitUntil(() => alive('stopped') === 0, { timeout: 400_000, interval: 100 })
  })

  test('repeats only the failed questions when the command runs again', async () => {
    const { project } = await ran([method(['dies', 'oven'])])
    const again = await ran([], {}, project)
    expect(again.trials).toEqual({ made: 1, kept: 2, failed: 1 })
  })
})

describe('a program that answers itself', () => {
  test('its answers count, and its row is marked and not compared', async () => {
    const { asked, manifest, folder } = await ran(['bm25', method(['good'], { answers: true })])
    const own = asked.filter((line) => line.method === 'mine')
    expect(own.map(({ answer }) => answer)).toEqual([{ text: '2' }, { text: '2', choice: 1 }, { text: '2' }])
    expect(own[0]?.usage.answer.calls).toBe(0)
    expect(manifest.methods.map(({ answers }) => answers)).toEqual([undefined, 'own'])
    const table = await tableOf(manifest, await openResults(folder, ''))
    expect(table.comparison).toBeUndefined()
    const rows = scoreTable(manifest, table).rows.map(([name]) => name?.text)
    expect(rows).toEqual(['bm25', 'mine ‡'])
    expect(notesOf(manifest, table)).toContain("‡ Own answers, not by the run's answerer: not compared.")
  })
})

test('counts an invalid argument as a failure', async () => {
  const ended = await ran([method(['a\0b'])])
  expect(failures(ended)['price']).toMatch(/null bytes/)
})

test('runs in the configured folder, with only default and configured environment variables', async () => {
  process.env['GEMBENCH_TEST_KEY'] = 'sk-of-the-run'
  process.env['GEMBENCH_TEST_OTHER'] = 'wanted'
  const project = await tinyProject({
    methods: [{ use: 'command', run: ['node', 'mine.mjs', 'environment'], env: ['GEMBENCH_TEST_OTHER'] }],
  })
  await writeFile(join(project, 'mine.mjs'), await readFile(program))
  const { indexes } = await ran([], {}, project)
  const { names, folder } = indexes[0]?.stats ?? {}
  expect(folder).toBe(project)
  expect(names).toEqual(expect.arrayContaining(['GEMBENCH_TEST_OTHER', 'OPENAI_API_KEY', 'OPENAI_BASE_URL', 'PATH']))
  expect(names).not.toContain('GEMBENCH_TEST_KEY')
  await writeFile(join(project, 'mine.mjs'), `${await readFile(program, 'utf8')}// changed\n`)
  expect((await ran([], {}, project)).trials).toMatchObject({ made: 3, kept: 0 })
})

test.each([
  [{ run: [] }, /the method "mine" cannot be run: run is missing: give the program and its arguments/],
  [{ run: ['no-such-program'] }, /there is no program "no-such-program" on the PATH/],
  [{ run: ['./no-such-program'] }, /no-such-program is no program that can be started/],
  [{ run: ['node', 'no-such-file.py'] }, /there is no file .*no-such-file\.py/],
  [{ run: ['node'], folder: 'nowhere' }, /there is no folder .*nowhere/],
])('what cannot be run is found before anything is asked: %j', async (options, said) => {
  await expect(ran([{ use: 'command', label: 'mine', ...options }])).rejects.toMatchObject({
    name: 'UserError',
    message: expect.stringMatching(said),
  })
})
