import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { expect, test } from 'vitest'

const src = import.meta.dirname
/** Who may look into whom, as README.md says. A room may always look into itself. */
const mayImport = readTable(readFileSync(join(src, 'README.md'), 'utf8'))

function readTable(text: string): ReadonlyMap<string, ReadonlySet<string>> {
  const rows = text.split('\n').flatMap((line) => {
    const [, rooms = '', , open = ''] = line.split('|').map((cell) => cell.trim())
    return /^`\S+`/.test(rooms) && open !== '' ? [{ rooms: rooms.split(', ').map(named), open: open.split(', ') }] : []
  })
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

function named(room: string): string {
  return room.replaceAll('`', '').replace(/\/$/, '')
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

/** Folders that list things of one kind, and what may stand beside them. */
const menus: Readonly<Record<string, readonly string[]>> = {
  methods: ['index.ts', 'shared'],
  datasets: ['index.ts', 'shared', 'download'],
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
