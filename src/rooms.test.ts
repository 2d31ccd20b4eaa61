import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { expect, test } from 'vitest'

const src = import.meta.dirname
/** Who may look into whom, as README.md says. A room may always look into itself. */
const mayImport = readLayers()

function readLayers(): ReadonlyMap<string, ReadonlySet<string>> {
  const rows = tableBelow('## Layers').map(([rooms = '', , open = '']) => ({
    rooms: rooms.split(', ').map(named),
    open: open.split(', '),
  }))
  const [first] = rows
  const opened = (rooms: readonly string[], word: string): readonly string[] =>
    word === 'each other' ? rooms : word === 'the first row' ? (first?.rooms ?? []) : [named(word)]
  return new Map(
    rows.flatMap(({ rooms, open }) => {
      const all = new Set(open.flatMap((word) => opened(rooms, word)))
      return rooms.map((room) => [room, all] as const)
    }),
  )
}

/** The rows of the table below a heading of README.md. */
function tableBelow(heading: string): string[][] {
  const section = readFileSync(join(src, 'README.md'), 'utf8').split(`${heading}\n`)[1]?.split('\n## ')[0] ?? ''
  const rows = section.split('\n').filter((line) => line.startsWith('|'))
  return rows.slice(2).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

function named(room: string): string {
  return room.replaceAll('`', '').replace(/\/$/, '')
}

const sources = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !/^(testing|test-support)/.test(name))
  .map((name) => join(src, name))

/** Lines of every folder or file of src: the most it may have, and the target, as README.md says. */
const ceilings = tableBelow('## Size').map(([folders = '', ceiling = '', target = '']) => ({
  folders: folders.split(', ').map(named),
  ceiling: numberOf(ceiling),
  target: numberOf(target),
}))

function numberOf(text: string): number {
  return Number(text.replaceAll(/\D/g, ''))
}

const roomOf = (file: string): string => relative(src, file).split(sep)[0] ?? ''

/** The files that a file imports, types included. */
const importsOf = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/(?:from|import\(?)\s*'(\.{1,2}\/[^']+)'/g)]
    .map(([, target = '']) => resolve(dirname(file), target))
    // the test that `init --new` writes imports the plug-in by its name
    .filter((target) => !target.includes('${'))

test('every room imports only what it may', () => {
  const forbidden = sources.flatMap((file) => {
    const room = roomOf(file)
    const open = mayImport.get(room)
    if (!open) return [`${room} is no room: say what it may import`]
    return importsOf(file)
      .map(roomOf)
      .filter((target) => target !== room && !open.has(target))
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

test('no folder imports itself through others, not even for a type', () => {
  /** What the subfolders and files of each folder import of each other. */
  const imports = new Map<string, Map<string, Set<string>>>()
  for (const file of sources)
    for (const target of importsOf(file)) {
      const [from, to] = [relative(src, file).split(sep), relative(src, target).split(sep)]
      const depth = from.findIndex((name, index) => name !== to[index])
      const [folder, name, imported] = [from.slice(0, depth).join('/'), from[depth], to[depth]]
      if (name === undefined || imported === undefined || imported === '..') continue
      const siblings = imports.get(folder) ?? new Map<string, Set<string>>()
      imports.set(folder, siblings.set(name, (siblings.get(name) ?? new Set()).add(imported)))
    }
  const circles = [...imports].flatMap(([folder, siblings]) =>
    [...siblings.keys()].flatMap((name) => {
      const path = pathBack(name, siblings)
      return path ? [`${folder || 'src'}: ${path.join(' -> ')}`] : []
    }),
  )
  expect(circles).toEqual([])
})

/** A shortest path of imports from a folder or file back to itself. */
function pathBack(start: string, imports: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] | undefined {
  const visited = new Set<string>()
  const paths = [[start]]
  for (const path of paths)
    for (const next of imports.get(path.at(-1) ?? '') ?? []) {
      if (next === start) return [...path, next]
      if (!visited.has(next)) paths.push([...path, next])
      visited.add(next)
    }
  return undefined
}

/** Files of code, by the folder or file of src that they are in; test support is a folder of its own. */
const code = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(ts|tsx|mts|js)$/.test(name) && !name.endsWith('.test.ts'))
  .map((name) => {
    const room = name.includes('test-support') ? 'test-support' : (name.split(sep)[0] ?? '')
    const text = readFileSync(join(src, name), 'utf8')
    const lines = text.split('\n').length - 1
    return { room, lines, characters: text.length - lines }
  })

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

test('every folder keeps its ceiling of lines, and a ceiling falls with its folder', () => {
  const wrong = ceilings.flatMap(({ folders, ceiling, target }) => {
    const files = folders[0] === 'all' ? code.filter(({ room }) => room !== 'test-support') : code
    const lines = sum(
      files.filter(({ room }) => folders[0] === 'all' || folders.includes(room)).map((file) => file.lines),
    )
    const name = folders.join(', ')
    if (lines > ceiling) return [`${name} has ${lines} lines, more than its ceiling ${ceiling}`]
    return ceiling > target && ceiling > lines + 100 ? [`${name} has ${lines} lines: lower its ceiling ${ceiling}`] : []
  })
  expect(wrong).toEqual([])
  const listed = new Set(ceilings.flatMap(({ folders }) => folders))
  expect(code.flatMap(({ room }) => (listed.has(room) ? [] : [room]))).toEqual([])
})

test('lines do not get longer', () => {
  const ours = code.filter(({ room }) => room !== 'test-support')
  expect(sum(ours.map(({ characters }) => characters)) / sum(ours.map(({ lines }) => lines))).toBeLessThan(44)
})

test('every file that README.md names is there', () => {
  const files = ['src', 'scripts', '.ci'].flatMap((folder) =>
    readdirSync(join(src, '..', folder), { recursive: true, encoding: 'utf8' }).map((name) => `/${folder}/${name}`),
  )
  const named = [...readFileSync(join(src, 'README.md'), 'utf8').matchAll(/`([\w./-]+\.[tj]s)`/g)]
  const missing = named.flatMap(([, name = '']) =>
    name.includes('NAME') || files.some((file) => file.endsWith(`/${name}`)) ? [] : [name],
  )
  expect(missing).toEqual([])
})
