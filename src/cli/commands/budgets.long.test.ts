import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { tinyProject, writeConfig } from '../../test-support/tiny.ts'
import { gembench } from '../../test-support/cli.ts'

const trialsOf = async (project: string): Promise<string> => {
  const [folder = ''] = await readdir(join(project, 'results'))
  return readFile(join(project, 'results', folder, 'trials.jsonl'), 'utf8')
}

/** A model at an address that nothing is asked of. */
const served = (price?: object) => ({
  use: 'openai',
  model: 'm',
  baseUrl: 'http://127.0.0.1:9/v1',
  retries: 0,
  ...(price && { price }),
})

describe('run', () => {
  test.each(['1', '64'])(
    'stops at a limit with exit code 5 and no failed trial; the same command goes on to the same bytes (concurrency %s)',
    async (concurrency) => {
      const whole = await tinyProject()
      await gembench(whole, 'run', '-c', 'tiny.yaml')
      const project = await tinyProject()
      const command = ['run', '-c', 'tiny.yaml', '--budget-calls', '8', '--set', `concurrency=${concurrency}`]
      let stopped = 0
      let ended = await gembench(project, ...command)
      for (; ended.code === 5; ended = await gembench(project, ...command)) {
        expect(ended.out).toBe('')
        expect(ended.err).toMatch(
          /^stopped: the next call would exceed --budget-calls 8; spent 8 calls, \d+ tokens; finished work is kept; run the same command again to continue\n$/,
        )
        const kept = await trialsOf(project)
        expect(kept).not.toContain('"failure"')
        const all = new Set((await trialsOf(whole)).split('\n'))
        expect(kept.split('\n').filter((line) => !all.has(line))).toEqual([])
        stopped++
      }
      expect(ended).toMatchObject({ code: 0, err: '' })
      expect(stopped).toBeGreaterThan(0)
      expect(await trialsOf(project)).toBe(await trialsOf(whole))
    },
    60_000,
  )

  test('a limit of tokens holds whatever is under way, and one below the first call says so', async () => {
    const project = await tinyProject({ repeats: 3 })
    const ended = await gembench(project, 'run', '-c', 'tiny.yaml', '--budget-tokens', '3000')
    expect(ended.code).toBe(5)
    const [, tokens = '0'] = /spent \d+ calls, (\d+) tokens/.exec(ended.err) ?? []
    expect(Number(tokens)).toBeGreaterThan(1000)
    expect(Number(tokens)).toBeLessThanOrEqual(3000)
    const small = await gembench(await tinyProject(), 'run', '-c', 'tiny.yaml', '--budget-tokens', '10')
    expect(small).toMatchObject({ code: 5, out: '' })
    expect(small.err).toMatch(/^stopped before the first call: the next call may need \d+ tokens, .* larger limit\n$/)
  })

  test('a limit of money: by the prices, and refused where a served model has none', async () => {
    const price = { prompt: 1000, completion: 1000, embedding: 0 }
    const project = await tinyProject({ models: { complete: { use: 'extractive', price }, embed: 'fake' } })
    const ended = await gembench(project, 'run', '-c', 'tiny.yaml', '--budget-usd', '2')
    expect(ended.code).toBe(5)
    expect(ended.err).toMatch(/would exceed --budget-usd 2; spent \d+ calls, \d+ tokens, \$[01]\.\d+;/)
    await writeConfig(project, { models: { complete: served(), embed: 'fake' } })
    const unpriced = await gembench(project, 'run', '-c', 'tiny.yaml', '--budget-usd', '2', '--results', 'none')
    expect(unpriced).toMatchObject({ code: 2, out: '' })
    expect(unpriced.err).toMatch(/^error models\.complete: openai "m" has no price: .*\n$/)
    await writeConfig(project, { models: { complete: served(price), embed: 'fake' }, methods: ['bm25'] })
    const priced = await gembench(project, 'run', '-c', 'tiny.yaml', '--budget-usd', '2')
    expect(priced.err).toContain('openai "m" cannot be used')
  })

  test.each([
    [['--budget-calls', '0'], 'whole number'],
    [['--budget-usd', '-1'], 'above 0'],
    [['--budget-tokens', '9', '--no-cache'], '--budget-tokens cannot be used with --no-cache'],
  ])('%j is refused in a line', async (flags, said) => {
    const ended = await gembench(await tinyProject(), 'run', '-c', 'tiny.yaml', ...flags)
    expect(ended).toMatchObject({ code: 2, out: '' })
    expect(ended.err).toContain(said)
  })
})

test('score stops at a limit, keeps the scores that were there, and goes on', async () => {
  const project = await tinyProject({ scorers: ['faithfulness'], methods: ['bm25', 'full-context'] })
  await gembench(project, 'run', '-c', 'tiny.yaml')
  const [name = ''] = await readdir(join(project, 'results'))
  const scores = join(project, 'results', name, 'scores.jsonl')
  const before = await readFile(scores, 'utf8')
  const score = () => gembench(project, 'score', name, '--budget-calls', '15', '--cache-folder', 'empty')
  let ended = await score()
  expect(ended.code).toBe(5)
  expect(await readFile(scores, 'utf8')).toBe(before)
  for (let again = 0; ended.code === 5 && again < 4; again++) ended = await score()
  expect(ended.code).toBe(0)
  expect(await readFile(scores, 'utf8')).toBe(before)
})
