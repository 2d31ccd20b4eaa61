import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { expect, test } from 'vitest'

const src = import.meta.dirname
const foundation = ['basics', 'types.ts', 'types', 'records.ts', 'define.ts', 'errors.ts']
const pure = [...foundation, 'text', 'math']

/** Who may look into whom. A room may always look into itself; tests, testing/ and test-support/ may look anywhere. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  basics: ['errors.ts'],
  'types.ts': ['types'],
  types: [],
  'records.ts': ['types.ts'],
  'define.ts': ['types.ts'],
  'errors.ts': ['basics'],
  text: foundation,
  math: foundation,
  config: [...foundation, 'text'],
  datasets: [...foundation, 'text'],
  chunking: [...foundation, 'text'],
  tasks: [...foundation, 'text'],
  // the offline provider answers tasks without a prompt, so models see what a task takes and gives
  models: [...pure, 'tasks'],
  methods: [...pure, 'tasks'],
  answering: [...pure, 'tasks'],
  scorers: [...pure, 'tasks'],
  report: [...pure, 'tasks'],
  run: [...pure, 'config', 'datasets', 'chunking', 'tasks', 'models', 'methods', 'answering', 'scorers'],
  cli: [...foundation, 'text', 'run', 'report', 'config', 'api', 'testing'],
  'cli.ts': [...foundation, 'text', 'run', 'report', 'config', 'cli'],
  // what a program that imports gembench calls: a run with its table, and one scorer
  api: [...pure, 'config', 'datasets', 'methods', 'models', 'scorers', 'run', 'report'],
  'toolkit.ts': [...pure, 'methods', 'tasks'],
  'index.ts': [...pure, 'datasets', 'methods', 'models', 'scorers', 'api', 'run', 'report'],
}

const sources = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !/^(testing|test-support)/.test(name))
  .map((name) => join(src, name))

const roomOf = (file: string): string => relative(src, file).split(sep)[0] ?? ''

/** The files that a file imports, types included. */
const importsOf = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/(?:from|import\(?)\s*'(\.{1,2}\/[^']+)'/g)].map(([, target = '']) =>
    resolve(dirname(file), target),
  )

test('every room imports only what it may', () => {
  const forbidden = sources.flatMap((file) => {
    const room = roomOf(file)
    const open = mayImport[room]
    if (!open) return [`${room} is no room: say what it may import`]
    return importsOf(file)
      .map(roomOf)
      .filter((target) => target !== room && !open.includes(target))
      .map((target) => `${relative(src, file)} looks into ${target}`)
  })
  expect(forbidden).toEqual([])
})

test('no file imports itself through others, not even for a type', () => {
  const circles: string[] = []
  const done = new Set<string>()
  const visit = (file: string, path: readonly string[]): void => {
    const from = path.indexOf(file)
    if (from >= 0) circles.push([...path.slice(from), file].map((one) => relative(src, one)).join(' -> '))
    if (from >= 0 || done.has(file)) return
    for (const target of importsOf(file)) visit(target, [...path, file])
    done.add(file)
  }
  for (const file of sources) visit(file, [])
  expect(circles).toEqual([])
})

/** Folders that list things of one kind, and what may stand beside them. */
const menus: Readonly<Record<string, readonly string[]>> = {
  methods: ['index.ts', 'shared'],
  datasets: ['index.ts', 'shared', 'formats', 'download'],
  scorers: ['index.ts', 'shared', 'measures'],
  'models/providers': ['index.ts', 'shared'],
}

test.each(Object.entries(menus))('%s lists one item a name: NAME.ts, or NAME/ with NAME.ts in it', (folder, beside) => {
  const names = readdirSync(join(src, folder)).filter((name) => !beside.includes(name) && !name.endsWith('.test.ts'))
  const menu = readFileSync(join(src, folder, 'index.ts'), 'utf8')
  const missing = names.flatMap((name) => {
    const file = name.endsWith('.ts') ? `./${name}` : `./${name}/${name}.ts`
    return menu.includes(`'${file}'`) ? [] : [file]
  })
  expect(missing).toEqual([])
})
