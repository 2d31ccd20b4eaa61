import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { gembench, expectRefusal } from '../test-support/cli.ts'
import { tinyProject } from '../test-support/tiny.ts'

let project: string
const run = (...flags: readonly string[]) => gembench(project, 'run', '-c', 'tiny.yaml', '--quiet', ...flags)

beforeAll(async () => {
  project = await tinyProject({ methods: ['closed-book', 'bm25', 'random'], scorers: ['accuracy', 'retrieval'] })
})

describe('gembench run --min', () => {
  test('ends with exit code 0 if every row but reference rows has that mean', async () => {
    const { code, err } = await run('--min', 'accuracy=0')
    expect(code).toBe(0)
    expect(err).toMatch(/^passed --min: bm25: accuracy at least 0\.0 %; it is \d+\.\d %\npassed --min: random: /)
    expect(err).not.toContain('closed-book')
  })

  test('ends with exit code 4 if a row is below, and prints its mean', async () => {
    const { code, err } = await run('--min', 'accuracy=0', '--min', 'random#accuracy.accuracy=1')
    expect(code).toBe(4)
    expect(err).toMatch(/^failed --min: random: accuracy\.accuracy at least 100\.0 %; it is \d+\.\d %$/m)
  })

  test.each([
    ['acuracy=.8', '--min: unknown metric "acuracy"; did you mean "accuracy"?'],
    ['bm52#accuracy=.8', '--min: unknown row "bm52"; did you mean "bm25"?'],
    ['accuracy=80', '--min accuracy=80: the metric is from 0 to 1; .8 is 80 %'],
    ['accuracy', 'It must be METRIC=VALUE or ROW#METRIC=VALUE, as in correct=.8.'],
  ])('refuses %s in one line with exit code 2 before any question is answered', async (min, message) => {
    await expectRefusal(run('--results', 'new', '--min', min), message)
    await expect(readFile(join(project, 'new'))).rejects.toThrow('ENOENT')
  })
})

describe('--junit', () => {
  test('writes a case for each row and threshold of a run', async () => {
    expect((await run('--min', 'random#accuracy=1', '--junit', 'run.xml')).code).toBe(4)
    const xml = await readFile(join(project, 'run.xml'), 'utf8')
    expect(xml).toMatch(
      /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites name="gembench" tests="4" failures="1" errors="0">/,
    )
    expect(xml).toContain('<testcase classname="tiny" name="bm25: no trial and no score failed"></testcase>')
    expect(xml).toMatch(/name="random: accuracy at least 100\.0 %"><failure message="it is \d+\.\d %"\/><\/testcase>/)
  })

  test('writes a case for each row of a diff, and overwrites its own file', async () => {
    const results = /results\/tiny-\w+/.exec((await gembench(project, 'run', '-c', 'tiny.yaml')).out)?.[0] ?? ''
    const flags = ['--fail-if', 'worse', '--min', 'bm25#accuracy=1', '--junit', 'run.xml'] as const
    const { code } = await gembench(project, 'diff', results, results, ...flags)
    // three questions are too few for a test
    expect(code).toBe(2)
    const xml = await readFile(join(project, 'run.xml'), 'utf8')
    expect(xml).toMatch(/name="bm25: not worse"><error message="bm25: no verdict: [^"]+"\/>/)
    expect(xml).toMatch(/name="bm25: accuracy at least 100\.0 %"><failure /)
    expect((await gembench(project, 'diff', results, results, '--min', 'bm25#accuracy=1')).code).toBe(4)
    expect((await gembench(project, 'diff', results, results, '--min', 'bm25#accuracy=0')).code).toBe(0)
  })

  test('escapes names, and overwrites no other file', async () => {
    await writeFile(join(project, 'notes.xml'), '<notes/>')
    await expectRefusal(run('--junit', 'notes.xml'), 'notes.xml: was not made by this command')
    const label = 'a < b & "c"'
    const quoted = await tinyProject({ methods: [{ use: 'bm25', label }], scorers: ['accuracy'] })
    await gembench(quoted, 'run', '-c', 'tiny.yaml', '--quiet', '--junit', 'out.xml')
    expect(await readFile(join(quoted, 'out.xml'), 'utf8')).toContain('name="a &#60; b &#38; &#34;c&#34;: no trial')
  })

  test('is refused for a diff without a gate', async () => {
    await expectRefusal(
      gembench(project, 'diff', 'a', 'b', '--junit', 'x.xml'),
      'add --fail-if worse or --min METRIC=VALUE',
    )
  })
})
