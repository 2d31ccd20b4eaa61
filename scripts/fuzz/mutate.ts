import type { Random } from './kind.ts'

/** An API key, which must never be printed. */
export const fuzzKey = 'sk-fuzz-3f9c1e77a2b4'

/** A random item. */
export function pick<T>(items: readonly T[], random: Random): T {
  const item = items[Math.floor(random() * items.length)]
  if (item === undefined) throw new Error('there is nothing to pick from')
  return item
}

const below = (end: number, random: Random): number => Math.floor(random() * end)

/** Bytes with one to four changes: a bit, a byte or a stretch changed, cut off, left out, repeated or put in. */
export function mutateBytes(bytes: Uint8Array, random: Random): Uint8Array {
  let mutant = Buffer.from(bytes)
  for (let changes = 1 + below(4, random); changes > 0; changes--) mutant = changeBytes(mutant, random)
  return mutant
}

function changeBytes(bytes: Buffer<ArrayBuffer>, random: Random): Buffer<ArrayBuffer> {
  const at = below(bytes.length + 1, random)
  const end = at + below(Math.min(64, bytes.length - at) + 1, random)
  const join = (...parts: readonly Uint8Array[]): Buffer<ArrayBuffer> => Buffer.concat(parts)
  const [before, stretch, after] = [bytes.subarray(0, at), bytes.subarray(at, end), bytes.subarray(end)]
  switch (below(8, random)) {
    case 0:
    case 1: {
      const flips = Buffer.from(bytes)
      if (at < bytes.length) flips[at] = (flips[at] ?? 0) ^ (1 << below(8, random))
      return flips
    }
    case 2:
      return join(before, Buffer.from([below(256, random)]), bytes.subarray(at + 1))
    case 3:
      return join(before)
    case 4:
      return join(before, after)
    case 5:
      return join(before, stretch, stretch, after)
    case 6:
      return join(before, Buffer.from(pick(oddTexts, random)), after)
    default: {
      const number = Buffer.alloc(4)
      number.writeUInt32LE(pick([0, 1, 0x7fffffff, 0x80000000, 0xffffffff, below(2 ** 32, random)], random))
      return join(before, number, bytes.subarray(at + 4))
    }
  }
}

/** A text with one to three changes: as of bytes, and whole lines left out, repeated, put elsewhere or torn. */
export function mutateText(text: string, random: Random): Uint8Array {
  if (random() < 0.4) return mutateBytes(Buffer.from(text), random)
  let lines = text.split('\n')
  for (let changes = 1 + below(3, random); changes > 0; changes--) lines = changeLines(lines, random)
  return Buffer.from(lines.join('\n'))
}

function changeLines(lines: readonly string[], random: Random): string[] {
  const at = below(lines.length, random)
  const line = lines[at] ?? ''
  const cut = below(line.length + 1, random)
  const now = (...replacing: readonly string[]): string[] => lines.toSpliced(at, 1, ...replacing)
  switch (below(7, random)) {
    case 0:
      return now()
    case 1:
      return now(line, line)
    case 2:
      return now().toSpliced(below(lines.length, random), 0, line)
    case 3:
      return now(line.slice(0, cut))
    case 4:
      return now(line.slice(0, cut), line.slice(cut))
    case 5:
      return now(line.slice(0, cut) + pick(oddTexts, random) + line.slice(cut))
    default:
      return now(line.replace(/[\d.]+|"[^"]*"|\w+/, () => pick(oddJson, random)))
  }
}

/** JSON of a value in which one to three values were replaced, left out, repeated, renamed or exchanged. */
export function mutateJson(value: unknown, random: Random): string {
  let tree = value
  const raws = new Map<string, string>()
  const raw = (text: string): string => {
    const mark = `\u0001${raws.size}\u0001`
    raws.set(JSON.stringify(mark), text)
    return mark
  }
  for (let changes = 1 + below(3, random); changes > 0; changes--) tree = changeValue(tree, raw, random)
  return JSON.stringify(tree).replace(/"\\u0001\d+\\u0001"/g, (mark) => raws.get(mark) ?? mark)
}

/** A file of records, damaged as a text or, where it is JSON or JSONL, as often by changed values of one record. */
export function mutateRecords(file: string, text: string, random: Random): Uint8Array {
  const isJson = /\.jsonl?$/.test(file)
  if (!isJson || random() < 0.5) return mutateText(text, random)
  if (file.endsWith('.json')) return Buffer.from(mutateJson(JSON.parse(text), random))
  const lines = text.trimEnd().split('\n')
  const lineIndex = below(lines.length, random)
  return Buffer.from(
    lines.map((line, at) => `${at === lineIndex ? mutateJson(JSON.parse(line), random) : line}\n`).join(''),
  )
}

type Path = readonly (string | number)[]

function changeValue(tree: unknown, raw: (text: string) => string, random: Random): unknown {
  const paths = [...pathsOf(tree, [])]
  const path = pick(paths, random)
  const name = path.at(-1)
  const replace = (value: unknown): unknown => editValue(tree, path, () => [[name ?? '', value]])
  if (name === undefined) return raw(pick(oddJson, random))
  switch (below(8, random)) {
    case 0:
      return editValue(tree, path, () => [])
    case 1:
      return replace([valueAt(tree, path)])
    case 2:
      return replace(valueAt(tree, pick(paths, random)))
    case 3:
      return editValue(tree, path, (value) => [[pick(oddNames, random), value]])
    case 4:
      return editValue(tree, path, (value) => [
        [name, value],
        [typeof name === 'number' ? name : pick(oddNames, random), value],
      ])
    default:
      return replace(raw(pick(oddJson, random)))
  }
}

function* pathsOf(value: unknown, path: Path): Generator<Path> {
  yield path
  if (value !== null && typeof value === 'object')
    for (const [key, inner] of Object.entries(value))
      yield* pathsOf(inner, [...path, Array.isArray(value) ? +key : key])
}

const valueAt = (tree: unknown, path: Path): unknown =>
  path.reduce((value, name) => (value as Record<string | number, unknown>)[name], tree)

type Entry = readonly [string | number, unknown]

/** The value with the entry at a path replaced by others; keys such as `__proto__` stay keys. */
function editValue(value: unknown, [first, ...rest]: Path, edit: (value: unknown) => readonly Entry[]): unknown {
  const change = (item: unknown): readonly Entry[] =>
    rest.length > 0 ? [[first ?? '', editValue(item, rest, edit)]] : edit(item)
  if (Array.isArray(value))
    return value.flatMap((item: unknown, index) => (index === first ? change(item).map(([, inner]) => inner) : [item]))
  return Object.fromEntries(
    Object.entries(value as object).flatMap(([key, item]) => (key === first ? change(item) : [[key, item]])),
  )
}

const nestedText = (depth: number, open: string, close: string, middle = ''): string =>
  open.repeat(depth) + middle + close.repeat(depth)

const spaces = '|| |\n|\r|\r\n|\t|\u0000|\u001b[31mred\u0007|\u2028|\ufeff|\u202e|\ud800'.split('|').slice(1)
const paths = '../../../etc/passwd /etc/passwd ..\\..\\x C:\\x con . .. ~ a/b - --help'
const names = '__proto__ constructor toString hasOwnProperty length then null undefined NaN Infinity'
const code = '${FUZZ_KEY} $FUZZ_KEY ${process.env} `id` $(id) =1+1 @x <script> " \' \\ , ;'
const yaml = '{ } [ ] : # &a *a !!js/function | > --- ...'
const numbers = '0 -1 1e999 0x10 1_000 00 1.7976931348623157e308 9007199254740993 -0 5e-324'

/** Texts that careless programs mistake: paths, names of JavaScript, control characters, what a shell would run. */
export const oddTexts: readonly string[] = [
  ...spaces,
  ...[paths, names, code, yaml, numbers].flatMap((words) => words.split(' ')),
  ...['<<: *a', '- ', '? ', '%YAML 9', '👩‍👩‍👧', 'é\u0301', '\u0301'.repeat(500)],
  ...['x'.repeat(5000), 'word '.repeat(3000), nestedText(200, '[', ']'), nestedText(3000, '{"a":', '}')],
]

/** Names of fields. */
const oddNames: readonly string[] = '__proto__ constructor toString length a.b ../x X'
  .split(' ')
  .concat('', '\u0000', '\ud800')

const plain =
  'null true false [] {} "" 1 0.5 1.5 1e308 -1e308 1e21 4294967296 2147483648 "NaN" "1" "true" [null] [[]] ["a","a"]'
const objects = '{"length":1e9} {"then":1} {"a":1,"a":2} {"toString":1} {"toJSON":1} {"0":1} "\\ud800" "\\u0000"'

/** Values as JSON, and some that are nearly so. */
const oddJson: readonly string[] = [
  ...[plain, objects, numbers, 'NaN Infinity'].flatMap((words) => words.split(' ')),
  ...['{"__proto__":{"polluted":true}}', '{"constructor":{"prototype":{"polluted":true}}}'],
  ...oddTexts.map((text) => JSON.stringify(text)),
  ...[
    nestedText(50, '[', ']'),
    nestedText(2000, '[', ']'),
    nestedText(1000, '{"a":', '}', '1'),
    `[${'0,'.repeat(5000)}0]`,
  ],
]
