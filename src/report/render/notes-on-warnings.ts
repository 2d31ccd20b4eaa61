import { groupBy } from '../../basics/collections.ts'
import type { MethodRecord } from '../../records.ts'
import type { TableRow, UsageCell } from '../table/table.ts'
import { counted, listing, percent, plural, present } from '../../text/amounts.ts'
import { groundedText } from './row-columns.ts'
import { isRow } from '../compare/rows-to-compare.ts'

/** A row of the table under its name there. */
export interface NamedRow {
  readonly name: string
  readonly method: MethodRecord
  readonly summary: TableRow
}

/** What failed, was lost or was done otherwise than intended: one note a fact, with the rows that it is true of. */
export function notesOnWarnings(rows: readonly NamedRow[], usage: readonly UsageCell[]): readonly string[] {
  const spent = withSpending(rows, usage)
  return present(
    notesOnFailures(rows),
    indexWarnings(rows),
    listed('The first text that could not be embedded', rows, ({ summary: { unembedded } }) =>
      unembedded === undefined ? undefined : `(${shortened(unembedded)})`,
    ),
    rows.some(({ summary }) => summary.names) &&
      'grounded: the share of extracted names that stand in the text they were taken from.',
    inventedNote(rows),
    listed('Contexts cut at a token limit, of the budget or of the method', rows, cutContexts),
    listed(
      'Texts that the embedder did not read to the end, with the share of all tokens that was not read',
      spent,
      ({ spent }) => cutTexts(spent),
    ),
    listed('Trials that used a fallback', rows, fallbacks),
    listed('Records of a file that are of no question of the run', rows, ({ summary: { unusedRecords } }) =>
      unusedRecords === undefined ? undefined : counted(unusedRecords),
    ),
    storesNote(rows),
    listed('Replies that ended at the token limit', spent, (row) => replies(row.spent, 'cut')),
    listed('Replies with JSON that was repaired', spent, (row) => replies(row.spent, 'repaired')),
    listed('Replies of which items of the wrong form were dropped', spent, (row) => partial(row.spent)),
    listed('Calls without the JSON schema of the reply, which the server refused', spent, (row) =>
      replies(row.spent, 'withoutSchema'),
    ),
    listed('Calls whose system message was put before the first question, since the server refused it', spent, (row) =>
      replies(row.spent, 'withoutSystem'),
    ),
    cutPromptsNote(spent),
    listed('Answers that begin with the same tag, which is scored as a part of the answer', rows, firstTags),
    listed('Calls to a language model to build the index', spent, paperCalls),
    skippedScores(rows),
  )
}

/** What a model or its server did that makes a row measure something else than its method. */
export function notesOnModels(rows: readonly NamedRow[], usage: readonly UsageCell[]): readonly string[] {
  return [...cutPromptsNote(withSpending(rows, usage)), ...inventedNote(rows)]
}

const inventedNote = (rows: readonly NamedRow[]): readonly string[] =>
  listed('Less than half of the extracted names stand in the text they were taken from', rows, mostlyInvented)

const mostlyInvented = ({ summary: { names } }: NamedRow): string | undefined =>
  names && 2 * names.grounded < names.checked ? groundedText(names) : undefined

type SpentRow = NamedRow & { readonly spent: readonly UsageCell[] }

const cutPromptsNote = (rows: readonly SpentRow[]): readonly string[] =>
  listed('Calls of which the server read less than half of the prompt, by its own count of tokens', rows, (row) =>
    replies(row.spent, 'cutPrompts'),
  )

const withSpending = (rows: readonly NamedRow[], usage: readonly UsageCell[]): readonly SpentRow[] =>
  rows.map((row) => ({
    ...row,
    spent: usage.filter((one) => isRow(one, row.summary)),
  }))

/** How many trials and scores of every row failed, with the three commonest reasons. */
export const notesOnFailures = (rows: readonly NamedRow[]): readonly string[] => [
  ...listed('Failed trials are left out of the means', rows, ({ summary: { failed, failures } }) =>
    failed === 0 ? undefined : `${failed} (${commonest(failures)})`,
  ),
  ...listed('Failed scores are left out of the means', rows, ({ summary: { failedScores, scoreFailures } }) =>
    failedScores === 0 ? undefined : `${failedScores} (${commonest(scoreFailures)})`,
  ),
]

/** `Fact: bm25 3, vector 5.`, or nothing where it is true of no row. */
function listed<R extends NamedRow>(
  fact: string,
  rows: readonly R[],
  of: (row: R) => string | undefined,
): readonly string[] {
  const found = rows.flatMap((row) => {
    const words = of(row)
    return words === undefined ? [] : [`${row.name} ${words}`]
  })
  return found.length === 0 ? [] : [`${fact}: ${listing(found)}.`]
}

/** What indexes say of themselves, in their words: one note for all that they lost. */
function indexWarnings(rows: readonly NamedRow[]): readonly string[] {
  const kinds = [...new Set(rows.flatMap(({ summary }) => Object.keys(summary.warnings)))]
  const said = kinds.map((words) => {
    // words are a method's own, and may be the name of what every object has
    const found = rows.filter(({ summary: { warnings } }) => Object.hasOwn(warnings, words))
    const counts = found.map(
      ({ name, summary: { warnings, indexes } }) =>
        `${name} ${warnings[words] ?? 0}${indexes ? ` (in ${indexes.built} indexes)` : ''}`,
    )
    return `${words}: ${listing(counts)}`
  })
  const [first = ''] = said
  return said.length === 0 ? [] : [`${first.charAt(0).toUpperCase()}${said.join('; ').slice(1)}.`]
}

function cutContexts({ method, summary: { cutContexts: cut, trials, passages } }: NamedRow): string | undefined {
  if (cut === 0 || method.context !== undefined) return undefined
  return `${cut} of ${trials} (${passages?.toFixed(1) ?? '–'} passages in the mean)`
}

function fallbacks({ summary }: NamedRow): string | undefined {
  const total = sum(Object.values(summary.fallbacks))
  return total === 0 ? undefined : `${total} of ${summary.trials} (${commonest(summary.fallbacks)})`
}

/** `12 of 20 with <plan>`, or nothing. */
function firstTags({ summary: { firstTags: tags = {}, trials, failed } }: NamedRow): string | undefined {
  const counted = byCount(tags).map(([tag, count]) => `${count} of ${trials - failed} with ${tag}`)
  return counted.length === 0 ? undefined : counted.join(' and ')
}

/** Where vectors lie, and what a search by an index found, over which questions. */
function storesNote(rows: readonly NamedRow[]): readonly string[] {
  const said = rows.flatMap(({ name, summary: { store } }) => {
    if (!store) return []
    const { engine, found, of, questions, asked } = store
    if (/exact search$/.test(engine)) return [`${name} in ${engine}`]
    const all = plural(asked, 'question')
    const recall =
      questions === 0
        ? `whose recall is not known, since none of ${all} was searched exactly too`
        : // rounded down: what was missed is never rounded away
          `which finds ${percent(Math.floor((1000 * found) / of) / 1000)} of the passages that an exact search finds (${found} of ${of}, over ${questions} of ${all})`
    return [`${name} in ${engine}, ${recall}`]
  })
  return said.length === 0 ? [] : [`Vectors in a database: ${said.join('; ')}.`]
}

type CountOfReplies = 'cut' | 'repaired' | 'partial' | 'withoutSchema' | 'withoutSystem' | 'cutPrompts'

/** `12 (index 9, answer 3)`, or nothing. */
function replies(spent: readonly UsageCell[], flaw: CountOfReplies): string | undefined {
  const flawed = spent.map((one) => ({ phase: one.phase, count: one[flaw] ?? 0 })).filter(({ count }) => count > 0)
  if (flawed.length === 0) return undefined
  const phases = flawed.map(({ phase, count }) => `${phase} ${count}`).join(', ')
  return `${sum(flawed.map(({ count }) => count))} (${phases})`
}

/** `111 of 235 at index (34.7 %) and 1 of 50 at retrieve (2.0 %)`, or nothing. */
function cutTexts(spent: readonly UsageCell[]): string | undefined {
  const phases = spent.flatMap(({ phase, embeddedTexts = 0, cutTexts: cut = 0, unreadTokens = 0, embeddedTokens }) =>
    cut === 0
      ? []
      : [`${cut} of ${embeddedTexts} at ${phase} (${percent(unreadTokens / (unreadTokens + embeddedTokens))})`],
  )
  return phases.length === 0 ? undefined : phases.join(' and ')
}

function partial(spent: readonly UsageCell[]): string | undefined {
  const found = replies(spent, 'partial')
  const items = plural(sum(spent.map(({ skippedItems = 0 }) => skippedItems)), 'item')
  return found && `${found}, ${items} in all`
}

function paperCalls({ summary, spent }: SpentRow): string | undefined {
  if (!summary.paperCalls) return undefined
  const index = spent.filter(({ phase }) => phase === 'index')
  const ours = sum(index.map(({ calls, embeddingCalls = 0 }) => calls - embeddingCalls))
  return `${ours} (its paper counts ${summary.paperCalls})`
}

/** A note for each scorer that declined answers, and why. Rows that are alike in this are named together. */
function skippedScores(rows: readonly NamedRow[]): readonly string[] {
  const found = rows.flatMap(({ name, summary }) =>
    summary.skipped.map(({ scorer, skipped, of, reasons }) => {
      const [reason = '', ...others] = byCount(reasons).map(([text]) => text)
      const why = `${others.length > 0 ? 'mostly: ' : ''}${reason}`
      return { name, scorer, how: `${skipped} of ${plural(of, 'answer')}`, why }
    }),
  )
  return Array.from(
    groupBy(found, ({ scorer }) => scorer),
    ([scorer, own]) => {
      const said = Array.from(groupBy(own, ({ how, why }) => JSON.stringify([how, why])).values(), (alike) => {
        const whose =
          alike.length > 1 && alike.length === rows.length ? 'every row' : listing(alike.map(({ name }) => name))
        return `${alike[0].how} of ${whose} (${alike[0].why})`
      })
      return `${scorer} did not score ${said.join(', and ')}.`
    },
  )
}

/** The three commonest reasons with how often each came, and how many others there are. */
function commonest(counted: Readonly<Record<string, number>>): string {
  const reasons = byCount(counted)
  const shown = reasons
    .slice(0, 3)
    .map(([reason, count]) => (reasons.length === 1 ? shortened(reason) : `${count} ${shortened(reason)}`))
  const others = reasons.length > 3 ? [plural(reasons.length - 3, 'other reason')] : []
  return [...shown, ...others].join('; ')
}

const shortened = (reason: string): string => {
  const line = reason.replaceAll(/\s+/g, ' ').trim()
  return line.length > 160 ? `${line.slice(0, 159)}…` : line || 'no reason given'
}

/** The commonest first; of equals the one that came first. */
const byCount = (reasons: Readonly<Record<string, number>>): readonly (readonly [string, number])[] =>
  Object.entries(reasons).sort(([, a], [, b]) => b - a)

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
