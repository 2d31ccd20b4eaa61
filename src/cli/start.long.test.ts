import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import type { TrialLine } from '../records.ts'
import { ran, type Ended } from '../test-support/ran.ts'
import { tinyProject } from '../test-support/tiny.ts'

const rows = ['bm25', 'random']
const of = (lines: readonly TrialLine[], row: string): readonly TrialLine[] =>
  lines.filter(({ method }) => method === row)
/** The messages of a row's failures, by question. */
const failuresOf = ({ trials }: Ended, row: string): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(of(trials, row).map(({ question, failure }) => [question.id, failure?.message]))

const method = (index: string): string => `import { z } from 'gembench'
  import { execFileSync } from 'node:child_process'
  import { existsSync, writeFileSync } from 'node:fs'
  const forever = () => { for (;;); }
  const busy = (milliseconds) => { const until = Date.now() + milliseconds; while (Date.now() < until); }
  export const mine = { name: 'mine', summary: '', options: z.strictObject({}), costs: () => 'unknown', index: async (chunks) => {
    const whole = [{ text: chunks[0].text, score: 1, from: [chunks[0].id], kind: 'chunk' }]
    ${index} } }`

describe('a call that blocks the process, or ends it, is a counted failure, and the run goes on', () => {
  let alone: Ended
  beforeAll(async () => {
    alone = await ran({}, { methods: rows })
  })

  const limits = { indexSeconds: 4, retrieveSeconds: 4 }
  const late = (doing: string, limit: string): string => `${doing} did not end within 4 s (limits.${limit})`
  const [index, retrieve] = [late('index()', 'indexSeconds'), late('retrieve()', 'retrieveSeconds')]
  test.each<[string, string, Readonly<Record<string, string | undefined>>]>([
    ['an endless loop in index()', 'forever()', { builder: index, oven: index, price: index }],
    [
      'an endless loop for one question',
      `return { retrieve: async ({ id }) => id === 'oven' ? forever() : whole }`,
      { builder: undefined, oven: retrieve, price: undefined },
    ],
    [
      'an endless loop after an await, while others wait',
      `return { retrieve: async ({ id }) => { await new Promise((done) => setTimeout(done, id === 'oven' ? 100 : 300)); if (id === 'oven') forever(); return whole } }`,
      { builder: undefined, oven: retrieve, price: undefined },
    ],
    [
      'a signal that nothing can catch',
      `return { retrieve: async ({ id }) => { if (id === 'price') execFileSync('kill', ['-9', String(process.pid)]); return whole } }`,
      { builder: undefined, oven: undefined, price: 'the process ended by SIGKILL' },
    ],
  ])('%s', async (_what, text, failures) => {
    const ended = await ran({ 'mine.mjs': method(text) }, { methods: ['./mine.mjs', ...rows], limits })
    expect(ended.code).toBe(3)
    expect(failuresOf(ended, 'mine')).toEqual(failures)
    for (const row of rows) expect(of(ended.trials, row)).toEqual(of(alone.trials, row))
    expect(ended.err).not.toContain('    at ')
  })

  test('a function that ends its process for every question is called ten times', async () => {
    const kill = `return { retrieve: async () => dies ? execFileSync('kill', ['-9', String(process.pid)]) : whole }`
    const text = method(kill)
      .replace('strictObject({})', 'strictObject({ dies: z.boolean().default(true) })')
      .replace('async (chunks)', 'async (chunks, _models, { dies })')
    const dataset = { use: 'sample', limit: 12 }
    const methods = ['./mine.mjs', { use: './mine.mjs', label: 'well', dies: false }]
    const ended = await ran({ 'mine.mjs': text }, { dataset, methods, concurrency: 1 })
    expect(ended.code).toBe(3)
    const reasonsOf = (row: string): readonly (string | undefined)[] =>
      of(ended.trials, row).map(({ failure }) => failure?.message)
    // a row of the same file with other options is called
    expect(reasonsOf('well')).toEqual(Array.from({ length: 12 }, () => undefined))
    const reasons = reasonsOf('mine')
    expect(reasons).toHaveLength(12)
    expect(reasons.filter((one) => one === 'the process ended by SIGKILL').length).toBe(10)
    expect(reasons.filter((one) => one === 'what it runs has ended 10 times: it is not started again').length).toBe(2)
  }, 240_000)

  test('what a plug-in writes on the pipe of its process changes nothing', async () => {
    const noise = `const { writeSync } = await import('node:fs')
      writeSync(4, '5\\nnull\\n{"begins":"x","whose":"c","who":"a","doing":"b","limit":"c","seconds":1e9}\\n{"begins":1}\\n')
      return { retrieve: async () => whole }`
    const ended = await ran({ 'mine.mjs': method(noise) }, { methods: ['./mine.mjs'] })
    expect([ended.code, ended.trials.filter(({ failure }) => failure).length]).toEqual([0, 0])
  })
})

interface Started {
  readonly child: ReturnType<typeof spawn>
  readonly ended: Promise<{ readonly code: number | null; readonly err: string }>
}

function started(project: string, ...flags: readonly string[]): Started {
  const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))
  const args = [cli, 'run', '-c', 'tiny.yaml', '--cache-folder', 'cache', '--quiet', ...flags]
  const child = spawn(process.execPath, args, { cwd: project, stdio: ['ignore', 'ignore', 'pipe'] })
  let err = ''
  child.stderr.on('data', (data: Buffer) => (err += data.toString()))
  return { child, ended: new Promise((resolve) => child.on('close', (code) => resolve({ code, err }))) }
}

describe('Ctrl-C while nothing is awaited', () => {
  const blocked = method(`return { retrieve: async () => {
    if (!existsSync('mended')) { writeFileSync('blocked', ''); busy(5000) }
    return whole } }`)
  const interrupted = async (): Promise<{ project: string; started: Started }> => {
    const project = await tinyProject({ methods: ['bm25', './mine.mjs'] })
    await writeFile(join(project, 'mine.mjs'), blocked)
    const run = started(project)
    while (!existsSync(join(project, 'blocked')) && run.child.exitCode === null) await sleep(10)
    run.child.kill('SIGINT')
    return { project, started: run }
  }

  test('the process ends within about a second, exit code 130, in one line; the same command goes on', async () => {
    const { project, started: run } = await interrupted()
    const before = performance.now()
    const { code, err } = await run.ended
    expect(performance.now() - before).toBeLessThan(2000)
    expect([code, err]).toEqual([
      130,
      'stopping: finished work is kept; press Ctrl-C again to end at once\n' +
        'interrupted: finished work is kept; run the same command again to continue\n',
    ])
    await writeFile(join(project, 'mended'), '')
    expect(await started(project).ended).toEqual({ code: 0, err: '' })
  })

  test('the second ends it at once', async () => {
    const { started: run } = await interrupted()
    await sleep(100)
    const before = performance.now()
    run.child.kill('SIGINT')
    expect(await run.ended).toMatchObject({ code: 130 })
    expect(performance.now() - before).toBeLessThan(2000)
  })
})

describe('a plug-in that signals the run', () => {
  const killing = (signal: string) =>
    method(`return { retrieve: async ({ id }) => {
      if (id === 'oven' && !existsSync('mended')) process.kill(process.ppid, '${signal}')
      await new Promise((done) => setTimeout(done, 1000))
      return whole } }`)

  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'])('%s: the run goes on, and a line names the plug-in', async (signal) => {
    const { code, err, trials } = await ran({ 'mine.mjs': killing(signal) }, { methods: ['./mine.mjs', 'bm25'] })
    expect([code, trials.length, trials.filter(({ failure }) => failure).length]).toEqual([0, 6, 0])
    expect(err).toMatch(
      new RegExp(`^note: another process sent ${signal} to this one, which goes on; ./mine.mjs ran then and may`, 'm'),
    )
  })

  test('SIGKILL: a line names the plug-in, and the same command goes on', async () => {
    const project = await tinyProject({ methods: ['bm25', './mine.mjs'] })
    await writeFile(join(project, 'mine.mjs'), killing('SIGKILL'))
    expect(await started(project).ended).toEqual({
      code: 1,
      err: 'unexpected: the process was ended by SIGKILL while ./mine.mjs ran; finished work is kept\n',
    })
    await writeFile(join(project, 'mended'), '')
    expect(await started(project).ended).toEqual({ code: 0, err: '' })
  })

  test('a file that does so when it is loaded is named, too', async () => {
    const project = await tinyProject({ methods: ['bm25', './mine.mjs'] })
    await writeFile(join(project, 'mine.mjs'), `process.kill(process.ppid, 'SIGKILL'); ${method('')}`)
    const { code, err } = await started(project).ended
    expect([code, err]).toEqual([1, expect.stringContaining('ended by SIGKILL while ./mine.mjs ran')])
  })
})

test('a killed supervisor leaves no process that works on, and the same command goes on at once', async () => {
  const project = await tinyProject({ methods: ['bm25', './mine.mjs'] })
  const text = `writeFileSync('worker', String(process.pid)); busy(existsSync('second') ? 0 : 3000); return { retrieve: async () => whole }`
  await writeFile(join(project, 'mine.mjs'), method(text))
  const first = started(project)
  while (!existsSync(join(project, 'worker')) && first.child.exitCode === null) await sleep(10)
  const worker = Number(await readFile(join(project, 'worker'), 'utf8'))
  first.child.kill('SIGKILL')
  await writeFile(join(project, 'second'), '')
  const { code, err } = await started(project).ended
  expect([code, err]).toEqual([0, ''])
  expect(() => process.kill(worker, 0)).toThrow('ESRCH')
})
