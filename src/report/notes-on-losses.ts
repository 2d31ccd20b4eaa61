import type { MethodRecord } from '../records.ts'
import { plural } from './plural.ts'
import type { TableRow, UsageCell } from './table.ts'

/** A row of the table under its name there. */
export interface NamedRow {
  readonly name: string
  readonly method: MethodRecord
  readonly facts: TableRow
}

/** What was lost or done otherwise than intended although nothing failed: a note a row and kind of loss, none where nothing was. */
export function losses(rows: readonly NamedRow[], usage: readonly UsageCell[]): readonly string[] {
  return [
    ...rows.flatMap((row) => {
      const spent = usage.filter(({ method, variant }) => method === row.facts.method && variant === row.facts.variant)
      return [lostByIndex(row), fellBack(row), flawedReplies(row, spent), paperCalls(row, spent)]
    }),
    ...skippedScores(rows),
  ].filter((note) => note !== undefined)
}

function lostByIndex({ name, facts }: NamedRow): string | undefined {
  const lost = Object.entries(facts.losses).map(([words, count]) => `${words} (${count})`)
  return lost.length === 0 ? undefined : `${name}: ${lost.join(', ')}.`
}

function fellBack({ name, facts }: NamedRow): string | undefined {
  const reasons = byCount(facts.fallbacks)
  const total = sum(reasons.map(([, count]) => count))
  if (total === 0) return undefined
  // a method may name a reason of its own for every question
  const shown = reasons.slice(0, 3).map(([reason, count]) => (reasons.length === 1 ? reason : `${count} ${reason}`))
  const others = reasons.length > 3 ? [`${reasons.length - 3} other reasons`] : []
  return `${name}: ${total} of ${facts.trials} trials fell back (${[...shown, ...others].join('; ')}).`
}

function flawedReplies({ name }: NamedRow, spent: readonly UsageCell[]): string | undefined {
  const items = plural(sum(spent.map(({ skippedItems = 0 }) => skippedItems)), 'item')
  const flaws = [
    ...replies(spent, 'cut', 'ended at the token limit'),
    ...replies(spent, 'repaired', 'read after repair'),
    ...replies(spent, 'partial', `read without ${items} that did not fit`),
  ]
  return flaws.length === 0 ? undefined : `${name}: ${flaws.join(', ')}.`
}

/** `12 replies ended at the token limit (index 9, answer 3)`, or nothing. */
function replies(spent: readonly UsageCell[], flaw: 'cut' | 'repaired' | 'partial', words: string): readonly string[] {
  const flawed = spent.map((one) => ({ phase: one.phase, count: one[flaw] ?? 0 })).filter(({ count }) => count > 0)
  if (flawed.length === 0) return []
  const phases = flawed.map(({ phase, count }) => `${phase} ${count}`).join(', ')
  return [`${plural(sum(flawed.map(({ count }) => count)), 'reply', 'replies')} ${words} (${phases})`]
}

function paperCalls({ name, facts }: NamedRow, spent: readonly UsageCell[]): string | undefined {
  if (!facts.paperCalls) return undefined
  const ours = sum(spent.filter(({ phase }) => phase === 'index').map(({ calls }) => calls))
  return `${name}: ${ours} calls at the index, embeddings among them, where its paper counts ${facts.paperCalls}.`
}

/** A note a scorer where it declined as many answers of all rows, and for the same reason; else one for every such group of rows. */
function skippedScores(rows: readonly NamedRow[]): readonly string[] {
  const groups = new Map<string, { readonly scorer: string; readonly told: string; readonly names: string[] }>()
  for (const { name, facts } of rows) {
    for (const { scorer, skipped, of, reasons } of facts.skipped) {
      const [reason = '', ...others] = byCount(reasons).map(([text]) => text)
      const told = `${skipped} of ${of} answers were not scored (${others.length > 0 ? 'mostly: ' : ''}${reason})`
      const key = JSON.stringify([scorer, told])
      const group = groups.get(key)
      if (group) group.names.push(name)
      else groups.set(key, { scorer, told, names: [name] })
    }
  }
  return [...groups.values()].map(({ scorer, told, names }) => {
    const whose = names.length > 1 && names.length === rows.length ? 'every row' : names.join(', ')
    return `${scorer} of ${whose}: ${told}.`
  })
}

/** The commonest first; of equals the one that came first. */
const byCount = (reasons: Readonly<Record<string, number>>): readonly (readonly [string, number])[] =>
  Object.entries(reasons).sort(([, a], [, b]) => b - a)

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
