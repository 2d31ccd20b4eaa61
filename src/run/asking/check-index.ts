import { z } from 'zod'
import { shapeFaults } from '../../text/shape-faults.ts'
import type { Index, IndexStats } from '../../types.ts'

/** What a method's index() returned, or an Error that says what is wrong with it: a method may be a stranger's. */
export function checkIndex(index: unknown, method: string): Index {
  const has = (field: string): unknown =>
    typeof index === 'object' && index !== null ? (index as Readonly<Record<string, unknown>>)[field] : undefined
  if (typeof has('retrieve') !== 'function')
    throw new Error(`${method}: index() returned no object with a retrieve function`)
  const odd = ['graph', 'stats', 'warnings', 'save'].find(
    (field) => !['undefined', 'function'].includes(typeof has(field)),
  )
  if (odd !== undefined) throw new Error(`${method}: index() returned an object of which "${odd}" is no function`)
  return index as Index
}

/** What an index says of itself: flat JSON, or an Error that names the entry which is not. */
export function statsOf(index: Index, method: string): IndexStats | undefined {
  const stats: unknown = index.stats?.()
  if (stats !== undefined) refuse(flat, stats, `${method}: stats()`, 'give flat JSON: text, numbers, and lists of them')
  return stats as IndexStats | undefined
}

/** What an index lost, counted, or an Error that names the entry which is no count. */
export function warningsOf(index: Index, method: string): Readonly<Record<string, number>> {
  const warnings: unknown = index.warnings?.() ?? {}
  refuse(counts, warnings, `${method}: warnings()`, "give counts, such as { 'replies that could not be read': 3 }")
  return warnings as Readonly<Record<string, number>>
}

const plain = z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.union([z.string(), z.number()]))])
const flat = z.record(z.string(), plain)
const counts = z.record(z.string(), z.number().min(0))

function refuse(schema: typeof flat | typeof counts, value: unknown, where: string, advice: string): void {
  const [fault] = shapeFaults(schema, value, {})
  if (fault) throw new Error(`${where}: ${fault.message}: ${advice}`)
}
