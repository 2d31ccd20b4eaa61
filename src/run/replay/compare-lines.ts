import { basename } from 'node:path'
import { canonicalJson, sha256 } from '../../text/hash.ts'

/** How lines are compared: by key and content; those that are not compared count nowhere. */
interface LineRules<T> {
  readonly keyOf: (line: T) => string
  readonly contentOf: (line: T) => unknown
  readonly isCompared: (line: T) => boolean
  /** Why a recorded line is left out, of which a replayed one exists or not. */
  readonly reasonToSkip?: (line: T, isReplayed: boolean) => string | undefined
}

type Lines<T> = AsyncIterable<{ readonly line: number; readonly value: T }>

/** Compares recorded lines with replayed ones, in any order. `missing`: keys of replayed lines alone. */
export async function compareLines<T>(
  lines: Lines<T>,
  replayLines: Lines<T>,
  { keyOf, contentOf, isCompared, reasonToSkip = () => undefined }: LineRules<T>,
) {
  const digestOf = (line: T): string => sha256(canonicalJson(contentOf(line)))
  const digests = new Map<string, string>()
  for await (const { value } of replayLines) {
    if (isCompared(value)) digests.set(keyOf(value), digestOf(value))
  }
  const differing: number[] = []
  const skipReasons: string[] = []
  let sameCount = 0
  for await (const { line, value } of lines) {
    if (!isCompared(value)) continue
    const digest = digests.get(keyOf(value))
    digests.delete(keyOf(value))
    const reason = reasonToSkip(value, digest !== undefined)
    if (reason !== undefined) skipReasons.push(reason)
    else if (digest === digestOf(value)) sameCount++
    else differing.push(line)
  }
  return { sameCount, differing, skipReasons, missing: [...digests.keys()] }
}

/** Up to three places in a file, `trials.jsonl:7`, and how many more there are. */
export const placesIn = (file: string, numbers: readonly number[]): string =>
  firstOf(numbers.map((number) => `${basename(file)}:${number}`))

export const firstOf = (places: readonly string[]): string =>
  [...places.slice(0, 3), ...(places.length > 3 ? [`and ${places.length - 3} more`] : [])].join(', ')
