import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { mulberry32 } from '../math/random.ts'
import { gembench as runIn, type CliEnded } from '../test-support/cli.ts'
import { tinyPlan, tinyProject, tinySettings } from '../test-support/tiny.ts'
import { run } from '../run/index.ts'

let project = ''
let original = ''
let config = ''
beforeAll(async () => {
  project = await tinyProject({
    methods: ['closed-book', 'bm25', 'gem-rag'],
    scorers: ['accuracy', 'qasper-f1', 'faithfulness', 'retrieval'],
    repeats: 2,
    compare: { baseline: 'bm25' },
  })
  config = join(project, 'tiny.yaml')
  original = (await run(await tinyPlan(project), tinySettings(project))).folder
})

const gembench = (...args: readonly string[]): Promise<CliEnded> => runIn(project, ...args)

type Random = () => number
const pick = <T>(items: readonly T[], random: Random): T => items[Math.floor(random() * items.length)] as T

/** Every place of a value: the holder and the key. */
function placesOf(value: unknown): { holder: Record<string, unknown>; key: string }[] {
  if (typeof value !== 'object' || value === null) return []
  const holder = value as Record<string, unknown>
  return Object.keys(holder).flatMap((key) => [{ holder, key }, ...placesOf(holder[key])])
}

/** Another value than the one given. */
function swapValue(value: unknown, random: Random): unknown {
  const numeral = typeof value === 'number' ? String(value) : 17
  return pick(
    [
      null,
      numeral,
      [value],
      { value },
      typeof value === 'string' ? '' : 'text',
      true,
      -1,
      1.5,
      [],
      {},
      [null],
      { a: null },
    ].filter((second) => JSON.stringify(second) !== JSON.stringify(value)),
    random,
  )
}

function changedJson(text: string, random: Random): string {
  const root: unknown = JSON.parse(text)
  const { holder, key } = pick(placesOf(root), random)
  if (random() < 0.4 && !Array.isArray(holder)) Reflect.deleteProperty(holder, key)
  else holder[key] = swapValue(holder[key], random)
  return JSON.stringify(root)
}

/** A file that someone has damaged or edited. */
function mutate(text: string, isJournal: boolean, random: Random): string {
  if (random() < 0.1) return text.slice(0, Math.floor(random() * text.length))
  if (!isJournal) return changedJson(text, random)
  const lines = text.trimEnd().split('\n')
  const at = Math.floor(random() * lines.length)
  const line = lines[at] ?? ''
  const kind = random()
  if (kind < 0.1) lines.splice(at, 1)
  else if (kind < 0.2) lines.splice(at, 0, line)
  else if (kind < 0.3) lines[at] = pick(['null', '[]', '7', '"text"', '{}', 'x', `${line}${line}`], random)
  else lines[at] = changedJson(line, random)
  return `${lines.join('\n')}\n`
}

/** A copy of the results folder with one change; `bare`: as an earlier version wrote it, without checksums. */
async function mutant(seed: number, bare: boolean): Promise<{ folder: string; what: string }> {
  const random = mulberry32(seed)
  const folder = join(project, bare ? 'bare' : 'mutants', String(seed), basename(original))
  await mkdir(folder, { recursive: true })
  await cp(original, folder, { recursive: true })
  if (bare) {
    const { checksums: _none, ...manifest } = JSON.parse(
      await readFile(join(folder, 'manifest.json'), 'utf8'),
    ) as Record<string, unknown>
    await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest))
  }
  const name = pick(['manifest.json', 'trials.jsonl', 'scores.jsonl'], random)
  const before = await readFile(join(folder, name), 'utf8')
  await writeFile(join(folder, name), mutate(before, name.endsWith('l'), random))
  return { folder, what: `seed ${seed}, ${name}` }
}

/** One line of error at most, and no place in our code. */
function isCalm({ code, err: message }: CliEnded): boolean {
  const mistakes = message.split('\n').filter((line) => /error|unexpected|failed/.test(line))
  return [0, 2, 3].includes(code) && !/\n\s+at |unexpected/.test(message) && (code !== 2 || mistakes.length === 1)
}

const seeds = Array.from({ length: 300 }, (_, seed) => seed)

describe('a damaged results folder', () => {
  test('gives the table of the run or one line about the damage', async () => {
    const wanted = (await gembench('table', original)).out
    expect(wanted).toContain('| bm25')
    let [sameCount, refusalCount, noteCount] = [0, 0, 0]
    for (const seed of seeds) {
      const { folder, what } = await mutant(seed, false)
      const table = await gembench('table', folder)
      expect(isCalm(table), `${what}: ${table.err}`).toBe(true)
      const isNoted = table.err.includes('changed since the run')
      if (table.code !== 0) refusalCount++
      else if (isNoted) noteCount++
      else {
        expect(table.out, what).toBe(wanted)
        sameCount++
      }
    }
    expect(refusalCount).toBeGreaterThan(100)
    expect(noteCount).toBeGreaterThan(30)
    expect(sameCount + refusalCount + noteCount).toBe(seeds.length)
  }, 120_000)

  test.each([
    ['table', (folder: string) => ['table', folder, '--format', 'json']],
    ['diff', (folder: string) => ['diff', original, folder]],
    ['judge sample', (folder: string) => ['judge', 'sample', folder, '-o', join(folder, 'labels.csv')]],
    ['score', (folder: string) => ['score', folder, '--no-cache']],
    ['plan', (folder: string) => ['plan', '-c', config, '--results', join(folder, '..')]],
  ])(
    'in an earlier format ends %s in one line at most',
    async (_name, command) => {
      for (const seed of seeds.slice(0, 100)) {
        const { folder, what } = await mutant(seed + 1000, true)
        const result = await gembench(...command(folder))
        expect(isCalm(result), `${what}: ${result.code} ${result.err}`).toBe(true)
      }
    },
    240_000,
  )
})

test('marks a table of an unfinished run in every format', async () => {
  const { folder } = await mutant(1, false)
  await cp(original, folder, { recursive: true })
  const trials = join(folder, 'trials.jsonl')
  const lines = (await readFile(trials, 'utf8')).trimEnd().split('\n')
  const isTrial = (line: string): boolean => line.includes('"line":"trial"')
  const partialLines = lines.filter((line) => !isTrial(line)).concat(lines.filter(isTrial).slice(0, 11))
  await writeFile(trials, `${partialLines.join('\n')}\n`)
  const message = 'Unfinished: 11 of 18 trials; run the config again to finish.'
  for (const format of ['md', 'latex'])
    expect((await gembench('table', folder, '--format', format)).out).toContain(message)
  for (const format of ['csv', 'usage-csv', 'json'])
    expect((await gembench('table', folder, '--format', format)).err).toContain(message)
})
