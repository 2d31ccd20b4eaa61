import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { tinyProject, writeConfig } from '../../test-support/tiny.ts'
import { gembench, expectRefusal, resultsOf } from '../../test-support/cli.ts'

const trialsOf = async (project: string): Promise<string> => {
  const [folder = ''] = await readdir(join(project, 'results'))
  return readFile(join(project, 'results', folder, 'trials.jsonl'), 'utf8')
}

/** A model at an address that nothing is asked of. */
const serverModel = (price?: object) => ({
  use: 'openai',
  model: 'm',
  baseUrl: 'http://127.0.0.1:9/v1',
  retries: 0,
  ...(price && { price }),
})

describe('the limits of gembench run', () => {
  test.each(['1', '64'])(
    'stops at a limit with exit code 5 and no failed trial, and resumes to the same bytes (concurrency %s)',
    async (concurrency) => {
      const reference = await tinyProject()
      await gembench(reference, 'run', '-c', 'tiny.yaml')
      const project = await tinyProject()
      const command = ['run', '-c', 'tiny.yaml', '--budget-calls', '8', '--set', `concurrency=${concurrency}`]
      let stops = 0
      let result = await gembench(project, ...command)
      for (; result.code === 5; result = await gembench(project, ...command)) {
        expect(result.out).toBe('')
        expect(result.err).toMatch(/^Stopped: .* --budget-calls 8\. Used: 8 calls, \d+ tokens\. .*command resumes\.\n$/)
        const trials = await trialsOf(project)
        expect(trials).not.toContain('"failure"')
        const all = new Set((await trialsOf(reference)).split('\n'))
        expect(trials.split('\n').filter((line) => !all.has(line))).toEqual([])
        stops++
      }
      expect(result).toMatchObject({ code: 0, err: '' })
      expect(stops).toBeGreaterThan(0)
      expect(await trialsOf(project)).toBe(await trialsOf(reference))
    },
    60_000,
  )

  test('holds a token limit during concurrent calls and reports one below the first call', async () => {
    const project = await tinyProject({ repeats: 3 })
    const result = await gembench(project, 'run', '-c', 'tiny.yaml', '--budget-tokens', '3000')
    expect(result.code).toBe(5)
    const [, tokens = '0'] = /Used: \d+ calls, (\d+) tokens/.exec(result.err) ?? []
    expect(Number(tokens)).toBeGreaterThan(1000)
    expect(Number(tokens)).toBeLessThanOrEqual(3000)
    const small = await gembench(await tinyProject(), 'run', '-c', 'tiny.yaml', '--budget-tokens', '10')
    expect(small).toMatchObject({ code: 5, out: '' })
    expect(small.err).toMatch(/^Stopped before the first call: the next call may need \d+ tokens, .* larger limit\.\n$/)
  })

  test('holds a money limit by prices and refuses it for a served model without one', async () => {
    const price = { prompt: 1000, completion: 1000, embedding: 0 }
    const project = await tinyProject({ models: { complete: { use: 'extractive', price }, embed: 'fake' } })
    const result = await gembench(project, 'run', '-c', 'tiny.yaml', '--budget-usd', '2')
    expect(result.code).toBe(5)
    expect(result.err).toMatch(/would exceed --budget-usd 2\. Used: \d+ calls, \d+ tokens, \$[01]\.\d+\./)
    await writeConfig(project, { models: { complete: serverModel(), embed: 'fake' } })
    const withoutPrices = gembench(project, 'run', '-c', 'tiny.yaml', '--budget-usd', '2', '--results', 'none')
    await expectRefusal(withoutPrices, 'error models.complete: openai "m" has no price: ')
    await writeConfig(project, { models: { complete: serverModel(price), embed: 'fake' }, methods: ['bm25'] })
    const withPrices = await gembench(project, 'run', '-c', 'tiny.yaml', '--budget-usd', '2')
    expect(withPrices.err).toContain('openai "m" cannot be used')
  })

  test.each([
    [['--budget-calls', '0'], 'whole number'],
    [['--budget-usd', '-1'], 'above 0'],
    [['--budget-tokens', '9', '--no-cache'], "'--budget-tokens <number>' cannot be used with option '--no-cache'"],
  ])('%j is refused in one line', async (flags, message) => {
    await expectRefusal(gembench(await tinyProject(), 'run', '-c', 'tiny.yaml', ...flags), message)
  })
})

test('score stops at a limit, keeps earlier scores, and resumes', async () => {
  const project = await tinyProject({ scorers: ['faithfulness'], methods: ['bm25', 'full-context'] })
  const results = await resultsOf(project)
  const scores = join(project, results, 'scores.jsonl')
  const before = await readFile(scores, 'utf8')
  const score = () => gembench(project, 'score', results, '--budget-calls', '15', '--cache-folder', 'empty')
  let result = await score()
  expect(result.code).toBe(5)
  expect(await readFile(scores, 'utf8')).toBe(before)
  for (let again = 0; result.code === 5 && again < 4; again++) result = await score()
  expect(result.code).toBe(0)
  expect(await readFile(scores, 'utf8')).toBe(before)
})
