import type { Random } from './kind.ts'
import { oddJson, oddNames, oddTexts } from './odd-values.ts'

/** A key as a person has one: it must never be seen. */
export const fuzzKey = 'sk-fuzz-3f9c1e77a2b4'

/** One of some. */
export function pick<T>(items: readonly T[], random: Random): T {
  const item = items[Math.floor(random() * items.length)]
  if (item === undefined) throw new Error('there is nothing to pick from')
  return item
}

const below = (end: number, random: Random): number => Math.floor(random() * end)

/** Bytes with one to four changes: a bit, a byte or a stretch changed, cut off, left out, repeated or put in. */
export function mutateBytes(bytes: Uint8Array, random: Random): Uint8Array {
  let mutated = Buffer.from(bytes)
  for (let changes = 1 + below(4, random); changes > 0; changes--) mutated = changeBytes(mutated, random)
  return mutated
}

function changeBytes(bytes: Buffer<ArrayBuffer>, random: Random): Buffer<ArrayBuffer> {
  const at = below(bytes.length + 1, random)
  const end = at + below(Math.min(64, bytes.length - at) + 1, random)
  const join = (...parts: readonly Uint8Array[]): Buffer<ArrayBuffer> => Buffer.concat(parts)
  const [before, stretch, after] = [bytes.subarray(0, at), bytes.subarray(at, end), bytes.subarray(end)]
  switch (below(8, random)) {
    case 0:
    case 1: {
      const flipped = Buffer.from(bytes)
      if (at < bytes.length) flipped[at] = (flipped[at] ?? 0) ^ (1 << below(8, random))
      return flipped
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

/** JSON of a value in which one to three values were changed: other types and sizes, left out, repeated, renamed, exchanged. */
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

type Path = readonly (string | number)[]

function changeValue(tree: unknown, raw: (text: string) => string, random: Random): unknown {
  const paths = [...pathsOf(tree, [])]
  const path = pick(paths, random)
  const name = path.at(-1)
  const replace = (value: unknown): unknown => edited(tree, path, () => [[name ?? '', value]])
  if (name === undefined) return raw(pick(oddJson, random))
  switch (below(8, random)) {
    case 0:
      return edited(tree, path, () => [])
    case 1:
      return replace([valueAt(tree, path)])
    case 2:
      return replace(valueAt(tree, pick(paths, random)))
    case 3:
      return edited(tree, path, (value) => [[pick(oddNames, random), value]])
    case 4:
      return edited(tree, path, (value) => [
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
function edited(value: unknown, [first, ...rest]: Path, edit: (value: unknown) => readonly Entry[]): unknown {
  const change = (one: unknown): readonly Entry[] =>
    rest.length > 0 ? [[first ?? '', edited(one, rest, edit)]] : edit(one)
  if (Array.isArray(value))
    return value.flatMap((one: unknown, index) => (index === first ? change(one).map(([, inner]) => inner) : [one]))
  return Object.fromEntries(
    Object.entries(value as object).flatMap(([key, one]) => (key === first ? change(one) : [[key, one]])),
  )
}
