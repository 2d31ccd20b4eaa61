import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { diffCommand } from '../../../src/cli/commands/diff.ts'
import { judgeCheckCommand, judgeSampleCommand } from '../../../src/cli/commands/judge.ts'
import { scoreCommand } from '../../../src/cli/commands/score.ts'
import { tableCommand, type TableFlags } from '../../../src/cli/commands/table.ts'
import { mulberry32 } from '../../../src/math/random.ts'
import { run } from '../../../src/run/index.ts'
import { tinyPlan, tinyProject, tinySettings } from '../../../src/test-support/tiny.ts'
import { faultIn, capture, type CommandOutput } from '../command.ts'
import { usual, type Kind } from '../kind.ts'
import { mutateRecords, pick } from '../mutate.ts'
import { isDeepStrictEqual } from 'node:util'

const names = ['manifest.json', 'trials.jsonl', 'passages.jsonl', 'scores.jsonl', 'meter.jsonl', 'labels.csv'] as const

/** A results folder with one damaged file: it is refused, has the same table, or its notes name the loss. */
const results: Kind = {
  ...usual,
  mutantsInTest: 300,
  name: 'results',
  async open(folder) {
    const originalFolder = join(folder, 'whole')
    const project = await tinyProject({
      methods: ['bm25', 'random', 'oracle'],
      scorers: ['accuracy', 'retrieval', 'faithfulness'],
      repeats: 2,
    })
    const { folder: runFolder } = await run(await tinyPlan(project), tinySettings(project, { cache: false }))
    cpSync(runFolder, originalFolder, { recursive: true })
    const labels = join(originalFolder, 'labels.csv')
    const sample = { size: 3, context: false, results: folder }
    await capture(() => judgeSampleCommand(originalFolder, { ...sample, output: labels }))
    writeFileSync(
      labels,
      readFileSync(labels, 'utf8')
        .replace(/,(\r?\n|$)/g, ',yes$1')
        .replace('verdict,yes', 'verdict'),
    )
    const texts = new Map(names.map((name) => [name as string, readFileSync(join(originalFolder, name), 'utf8')]))
    const damagedFolder = join(folder, 'damaged')
    const show = async (run: string, flags: Partial<TableFlags>): Promise<CommandOutput> =>
      capture(() => tableCommand([run], { format: 'md', results: folder, ...flags }))
    const originalTable = await show(originalFolder, {})
    const originalJson = await show(originalFolder, { format: 'json' })
    if (originalTable.code + originalJson.code !== 0)
      throw new Error(`the original folder has no table: ${originalTable.text}`)
    const cache = { cache: false, cacheFolder: join(folder, 'cache'), trust: true }
    const plain = { results: folder, json: false }
    const damagedLabels = join(damagedFolder, 'labels.csv')
    const readers: Readonly<Record<string, () => Promise<CommandOutput>>> = {
      'table --format latex': () => show(damagedFolder, { format: 'latex' }),
      // as while a run is under way
      'table without checksums': () => {
        const file = join(damagedFolder, 'manifest.json')
        writeFileSync(file, readFileSync(file, 'utf8').replace(/,\s*"checksums": *\{[^}]*\}/, ''))
        return show(damagedFolder, {})
      },
      'table --labels': () => show(damagedFolder, { labels: damagedLabels }),
      diff: () => capture(() => diffCommand(originalFolder, damagedFolder, { ...plain, limit: 10, all: false })),
      'judge sample': () =>
        capture(() => judgeSampleCommand(damagedFolder, { ...sample, output: join(damagedFolder, 'new.csv') })),
      'judge check': () => capture(() => judgeCheckCommand(damagedFolder, damagedLabels, plain)),
      score: () => capture(() => scoreCommand(damagedFolder, { ...plain, ...cache })),
    }
    const reset = (): void => {
      rmSync(damagedFolder, { recursive: true, force: true })
      mkdirSync(damagedFolder)
      for (const [name, text] of texts) writeFileSync(join(damagedFolder, name), text)
    }
    return {
      make(random) {
        const of = pick(names, random)
        return { of, bytes: mutateRecords(of, texts.get(of) ?? '', random) }
      },
      async attempt({ of, bytes }) {
        reset()
        writeFileSync(join(damagedFolder, of), bytes)
        const table = await show(damagedFolder, {})
        const json = await show(damagedFolder, { format: 'json' })
        // one of the other readers in turn: together they take four times as long
        const [reader, read] = pick(Object.entries(readers), mulberry32(bytes.length))
        for (const [name, item] of [
          ['table', table],
          ['table --format json', json],
          [reader, await read()],
        ] as const) {
          const fault = faultIn(item) ?? (item.code === 2 ? linesFault(item.text) : undefined)
          if (fault !== undefined) return { fault: `${name}: ${fault}` }
        }
        if (table.code !== 0) return { outcome: 'refused' }
        if (withoutUsage(json.out) === withoutUsage(originalJson.out)) return { outcome: 'same table' }
        if (json.text !== json.out || notesOf(table.out) !== notesOf(originalTable.out))
          return { outcome: 'named in notes' }
        if (countsOf(json.out) !== countsOf(originalJson.out)) return { outcome: 'visible in counts' }
        // the value is valid: no reader can see the change
        if (isEdit(texts.get(of) ?? '', Buffer.from(bytes).toString(), of)) return { outcome: 'another value' }
        return { fault: `another table, without a note (${of}): ${firstChange(originalJson.out, json.out)}` }
      },
    }
  },
}
export default results

/** An error that a person must fix begins with `error`. */
const linesFault = (text: string): string | undefined =>
  /^error /m.test(text) ? undefined : `exit code 2 without an error line: ${text.slice(0, 300)}`

const notesOf = (text: string): string =>
  text
    .split('\n')
    .filter((line) => line.startsWith('- '))
    .join('\n')

/** meter.jsonl describes the machine, not the results. */
const withoutUsage = (text: string): string => text.replace(/"(?:cached|milliseconds)": [^\n]*/g, '')

function firstChange(before: string, after: string): string {
  const lines = [before, after].map((text) =>
    withoutUsage(text)
      .split('\n')
      .map((line) => line.trim()),
  )
  const at = lines[0]?.findIndex((line, index) => line !== lines[1]?.[index]) ?? 0
  return lines.map((item) => item[at] ?? '').join(' became ')
}

/** Trials and scores, failed and declined, by row. */
function countsOf(text: string): string {
  const { rows, cells } = JSON.parse(text) as { rows: Record<string, unknown>[]; cells: Record<string, unknown>[] }
  const countFields = ['trials', 'failed', 'failedScores', 'n', 'skipped', 'repeats']
  return JSON.stringify([...rows, ...cells].map((item) => countFields.map((name) => item[name])))
}

/** Whether a text differs from the original only by values of the same type. */
function isEdit(original: string, mutant: string, file: string): boolean {
  try {
    return isDeepStrictEqual(shapesIn(original, file), shapesIn(mutant, file))
  } catch {
    return false
  }
}

const shapesIn = (text: string, file: string): unknown =>
  (file.endsWith('.jsonl') ? text.split('\n').filter((line) => line !== '') : [text]).map((line) =>
    shapeOf(JSON.parse(line)),
  )

/** The value with the type in place of every leaf; lists by their length. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf)
  if (value === null || typeof value !== 'object') return value === null ? 'null' : typeof value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)]))
}
