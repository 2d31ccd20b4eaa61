import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { expect, test } from 'vitest'

const src = import.meta.dirname
const ground = ['types.ts', 'types', 'records.ts', 'define.ts', 'errors.ts']
const pure = [...ground, 'text', 'math']

/** Who may look into whom. A room may always look into itself; tests and testing/ may look anywhere. */
const doors: Readonly<Record<string, readonly string[]>> = {
  'types.ts': ['types'],
  types: [],
  'records.ts': ['types.ts'],
  'define.ts': ['types.ts'],
  'errors.ts': [],
  text: ground,
  math: ground,
  config: [...ground, 'text'],
  datasets: [...ground, 'text'],
  chunking: [...ground, 'text'],
  tasks: [...ground, 'text'],
  // the offline provider answers tasks without a prompt, so models see what a task takes and gives
  models: [...pure, 'tasks'],
  methods: [...pure, 'tasks'],
  answering: [...pure, 'tasks'],
  scorers: [...pure, 'tasks'],
  report: [...pure, 'tasks'],
  run: [...pure, 'config', 'datasets', 'chunking', 'tasks', 'models', 'methods', 'answering', 'scorers'],
  cli: [...ground, 'text', 'run', 'report', 'config'],
  'cli.ts': [...ground, 'text', 'run', 'report', 'config', 'cli'],
  'index.ts': [...ground, 'run'],
}

const roomOf = (file: string): string => relative(src, file).split(sep)[0] ?? ''
const sources = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.startsWith('testing'))
  .map((name) => join(src, name))

test('every room looks only through its doors', () => {
  const forbidden = sources.flatMap((file) => {
    const room = roomOf(file)
    const open = doors[room]
    if (!open) return [`${room} is no room: give it its doors`]
    return [...readFileSync(file, 'utf8').matchAll(/(?:from|import\(?)\s*'(\.{1,2}\/[^']+)'/g)]
      .map(([, target = '']) => roomOf(resolve(dirname(file), target)))
      .filter((target) => target !== room && !open.includes(target))
      .map((target) => `${relative(src, file)} looks into ${target}`)
  })
  expect(forbidden).toEqual([])
})
