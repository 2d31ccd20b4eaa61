import { UserError } from '../../errors.ts'
import { type SourceLocation, type Located, writtenText } from '../source/located-value.ts'
import type { z } from 'zod'
import { nearest } from '../../text/names.ts'

/** Notes a mistake and where it stands. */
export type ReportError = (place: SourceLocation | string, message: string) => void

export type ErrorList = ReturnType<typeof emptyErrorList>

const shown = 10

/** An empty list of mistakes, which come in the order of their places, one line each, none twice. */
export function emptyErrorList() {
  const lines = new Map<string, readonly number[]>()
  const report: ReportError = (place, message) => {
    const { text, order } = typeof place === 'string' ? { text: place, order: [] } : place
    const line = oneLine(`${text}: ${message}`)
    if (!lines.has(line)) lines.set(line, order)
  }
  return {
    report,
    /** Throws UserError with at most ten lines when there are any. */
    stop: (): void => {
      if (lines.size === 0) return
      const rest = lines.size > shown ? [`… and ${lines.size - shown} more`] : []
      const sorted = [...lines].sort(([, a], [, b]) => compare(a, b)).map(([line]) => line)
      throw new UserError([...sorted.slice(0, shown), ...rest].join('\n'))
    },
  }
}

/** Number by number; what has none comes first. */
function compare(a: readonly number[], b: readonly number[]): number {
  const differs = [0, 1, 2].find((index) => (a[index] ?? 0) !== (b[index] ?? 0))
  return differs === undefined ? 0 : (a[differs] ?? 0) - (b[differs] ?? 0)
}

export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').replace(/\p{C}/gu, '?').trim()

/** Text in quotes, cut where it is long. */
export const quoted = (text: string): string => `"${text.length > 60 ? `${text.slice(0, 59)}…` : text}"`

type Issue = z.core.$ZodIssue

/** What a value must be: `must be at least 1, not 0`. `secret` values are not quoted. */
export function issueMessage(issue: Issue, node: Located, secret: boolean): string {
  const found = secret ? kindOf(node) : describe(node)
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${expected(issue.expected)}, not ${found}`
    case 'too_small':
      return `must ${bound(issue.origin, issue.minimum, issue.inclusive === false ? 'more than' : 'at least')}, not ${measured(node, found)}`
    case 'too_big':
      return `must ${bound(issue.origin, issue.maximum, issue.inclusive === false ? 'less than' : 'at most')}, not ${measured(node, found)}`
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}, not ${found}`
    case 'invalid_format':
      return issue.format === 'regex'
        ? `must match ${issue.pattern ?? 'a pattern'}, not ${found}`
        : `must be a valid ${issue.format}, not ${found}`
    case 'invalid_value':
      return choice(issue.values, node, found, secret)
    case 'invalid_union':
      return issue.inclusive !== false && issue.options
        ? choice(issue.options, node, found, secret)
        : `must be ${alternatives(issue)}, not ${found}${suggestion(unionValues(issue), node, secret)}`
    case 'invalid_key':
    case 'invalid_element':
    case 'unrecognized_keys':
    case 'custom':
      return 'is not allowed'
  }
}

/** The message of a schema's author, where it is not zod's own. */
export const authoredMessage = (message: string): string | undefined =>
  /^(Invalid|Too (small|big)|Unrecognized)/.test(message) ? undefined : message

const names: Readonly<Record<string, string>> = {
  number: 'a number',
  int: 'a whole number',
  string: 'text',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'a mapping',
  record: 'a mapping',
  null: 'null',
}

const expected = (type: string): string => names[type] ?? type

function bound(origin: string, limit: number | bigint, words: string): string {
  const plural = Number(limit) === 1 ? '' : 's'
  if (origin === 'string') return `have ${words} ${limit} character${plural}`
  if (origin === 'array') return `hold ${words} ${limit} item${plural}`
  return `be ${words} ${limit}`
}

/** A text or list that is too short or too long, by its length. */
function measured(node: Located, found: string): string {
  if (node.kind === 'list') return String(node.items.length)
  return node.kind === 'scalar' && typeof node.value === 'string' ? String(node.value.length) : found
}

function choice(values: readonly unknown[], node: Located, found: string, secret: boolean): string {
  const known = values.map((value) => JSON.stringify(value))
  return `must be ${known.length > 1 ? 'one of ' : ''}${known.join(', ')}, not ${found}${suggestion(values, node, secret)}`
}

function suggestion(values: readonly unknown[], node: Located, secret: boolean): string {
  const text = writtenText(node)
  const near = text === undefined || secret ? undefined : nearest(text, values.map(String))
  return near === undefined ? '' : `; did you mean "${near}"?`
}

const atRoot = (issue: z.core.$ZodIssueInvalidUnion): readonly Issue[] =>
  issue.errors.flat().filter(({ path }) => path.length === 0)

const unionValues = (issue: z.core.$ZodIssueInvalidUnion): readonly unknown[] =>
  atRoot(issue).flatMap((inner) => (inner.code === 'invalid_value' ? inner.values : []))

function alternatives(issue: z.core.$ZodIssueInvalidUnion): string {
  const kinds = atRoot(issue).flatMap((inner) => {
    if (inner.code === 'invalid_value') return inner.values.map((value) => JSON.stringify(value))
    if (inner.code === 'invalid_type') return [expected(inner.expected)]
    return inner.code === 'invalid_union' ? [alternatives(inner)] : []
  })
  return [...new Set(kinds)].join(' or ') || 'something else'
}

function describe(node: Located): string {
  const text = writtenText(node)
  if (text !== undefined) return `the text ${quoted(oneLine(text))}`
  return node.kind === 'scalar' && node.value !== null ? String(node.value) : kindOf(node)
}

function kindOf(node: Located): string {
  if (node.kind !== 'scalar') return `a ${node.kind}`
  if (node.value === null) return 'empty'
  return typeof node.value === 'string' ? 'text' : `a ${typeof node.value}`
}
