import { groupBy } from '../../basics/collections.ts'
import { median, sum } from '../../math/statistics/descriptive.ts'
import { formatCount, listing, percent, plural } from '../../text/amounts.ts'
import { whyEmpty } from '../show/messages.ts'
import { runOfRow, runsIn } from '../synthetic.ts'
import type { Facts, Note } from './note.ts'
import { perRowNote } from './note.ts'
import { extractionPrecision } from './row-columns.ts'
import { nameOf, type ShownRow } from './rows.ts'

/** Failed trials and scores per row, with the three most frequent reasons. */
export const failureNotes: readonly Note[] = [
  perRowNote(
    'Failed trials are left out of the means',
    ({ summary: { failed, failures } }) => failed && `${failed} (${topReasons(failures)})`,
    2,
  ),
  perRowNote(
    'Failed scores are left out of the means',
    ({ summary: { failedScores, scoreFailures } }) => failedScores && `${failedScores} (${topReasons(scoreFailures)})`,
    2,
  ),
]

/** Failures, losses and fallbacks: one note per fact, with its rows. */
export const rowNotes: readonly Note[] = [
  perRowNote(
    `Answered without a call because ${whyEmpty('end')}`,
    ({ summary: { canned, unfitted = 0 } }) => canned - unfitted,
  ),
  perRowNote(`Answered without a call because ${whyEmpty('tokens')}`, ({ summary }) => summary.unfitted),
  perRowNote('Replies that named no option, or several, count as wrong', ({ summary }) => summary.unreadable),
  perRowNote('Replies as near to several options took the first of them', ({ summary }) => summary.tied),
  perRowNote(
    "Passages that call themselves chunks and carry words beside the documents' own, which the answerer reads, too",
    ({ summary }) => summary.around,
  ),
  perRowNote(
    'Passages with characters that are not seen, of the documents or put there by the method',
    ({ summary }) => summary.invisible,
  ),
  { text: underfilledNote },
  { text: smallContextNote },
  ...failureNotes,
  { text: indexWarningNote },
  perRowNote('The first text that could not be embedded', ({ summary: { unembedded } }) =>
    unembedded === undefined ? undefined : `(${shortenReason(unembedded)})`,
  ),
  {
    text: ({ rows }) =>
      rows.some(({ summary }) => summary.names) &&
      'grounded: the share of extracted names that stand in the text they were taken from.',
  },
  perRowNote(
    'Less than half of the extracted names stand in the text they were taken from',
    ({ summary: { names } }) => (names && 2 * names.grounded < names.checked ? extractionPrecision(names) : undefined),
    7,
  ),
  perRowNote(
    'Contexts cut at a token limit, of the budget or of the method',
    ({ method, summary: { cutContexts, trials, passages } }) =>
      method.context === undefined
        ? cutContexts && `${cutContexts} of ${trials} (${passages?.toFixed(1) ?? '–'} passages in the mean)`
        : undefined,
  ),
  perRowNote(
    'Texts that the embedder did not read to the end, with the share of all tokens that was not read',
    truncatedInputsText,
  ),
  perRowNote('Trials that used a fallback', ({ summary: { fallbacks, trials } }) => {
    const total = sum(Object.values(fallbacks))
    return total && `${total} of ${trials} (${topReasons(fallbacks)})`
  }),
  perRowNote(
    'Records of a file that are of no question of the run',
    ({ summary: { unusedRecords } }) => unusedRecords && formatCount(unusedRecords),
  ),
  { text: storeNote },
  perRowNote('Replies that ended at the token limit', replyCount('cut')),
  perRowNote('Replies with JSON that was repaired', replyCount('repaired')),
  perRowNote('Replies of which items of the wrong form were dropped', (row) => {
    const partial = replyCount('partial')(row)
    return partial && `${partial}, ${plural(sum(row.usage.map(({ skippedItems = 0 }) => skippedItems)), 'item')} in all`
  }),
  perRowNote('Calls without the JSON schema of the reply, which the server refused', replyCount('withoutSchema')),
  perRowNote(
    'Calls whose system message was put before the first question, since the server refused it',
    replyCount('withoutSystem'),
  ),
  perRowNote(
    'Calls of which the server read less than half of the prompt, by its own count of tokens',
    replyCount('cutPrompts'),
    6,
  ),
  perRowNote(
    'Answers that begin with the same tag, which is scored as a part of the answer',
    ({ summary: { firstTags = {}, trials, failed } }) =>
      byCount(firstTags)
        .map(([tag, count]) => `${count} of ${trials - failed} with ${tag}`)
        .join(' and ') || undefined,
  ),
  perRowNote('Calls to a language model to build the index', ({ summary: { paperCalls }, usage }) => {
    const calls = usage.flatMap((cell) => (cell.phase === 'index' ? [cell.calls - (cell.embeddingCalls ?? 0)] : []))
    return paperCalls ? `${sum(calls)} (its paper counts ${paperCalls})` : undefined
  }),
  { text: skippedScoreNotes },
  {
    text({ manifest: { methods }, table: { sameContexts = [] } }) {
      const name = (id: string): string => methods.filter((row) => row.id === id).map(nameOf)[0] ?? id
      const pairs = sameContexts.map(({ rows: [a, b], same, of }) => `${name(a)} and ${name(b)} (${same} of ${of})`)
      return (
        pairs.length > 0 && `Same contexts for nearly all questions: ${listing(pairs)}. These rows hardly differ here.`
      )
    },
  },
  {
    text({ manifest }) {
      const calls = sum(runsIn(manifest).map(({ callsInNoLine = 0 }) => callsInNoLine))
      return (
        calls > 0 &&
        `No row counts ${plural(calls, 'call')} to models that were sent, such as those of an index that was built again.`
      )
    },
  },
]

/** Rows whose mean context uses less than half of both limits. */
function underfilledNote({ manifest, rows }: Facts): string | false {
  if (manifest.answers === 'none') return false
  const names = rows.flatMap(({ name, method, summary: { passages, contextTokens } }) => {
    const { budget = runOfRow(manifest, method).budget } = method
    return method.context === undefined &&
      passages !== null &&
      contextTokens !== null &&
      passages < budget.passages / 2 &&
      contextTokens < budget.tokens / 2
      ? [`${name} (${passages.toFixed(1)} passages, ${Math.round(contextTokens)} tokens)`]
      : []
  })
  return names.length > 0 && `Less than half of the budget, in passages and in tokens: ${listing(names)}.`
}

/** Rows whose mean context is below a quarter of the median. */
function smallContextNote({ manifest, rows }: Facts): string | false {
  const sizes = rows.flatMap(({ name, method, summary: { contextTokens } }) =>
    method.context === undefined && contextTokens !== null ? [{ name, tokens: contextTokens }] : [],
  )
  if (manifest.answers === 'none' || sizes.length < 3) return false
  const medianTokens = median(sizes.map(({ tokens }) => tokens))
  const smallRows = sizes.filter(({ tokens }) => tokens < medianTokens / 4)
  return (
    smallRows.length > 0 &&
    `Contexts under a quarter of the median of the rows (${Math.round(medianTokens)} tokens): ${listing(smallRows.map(({ name, tokens }) => `${name} ${Math.round(tokens)}`))}. Such a row may measure its budget, not its method.`
  )
}

/** Warnings of indexes, joined into one note. */
function indexWarningNote({ rows }: Facts): string | false {
  const kinds = [...new Set(rows.flatMap(({ summary }) => Object.keys(summary.warnings)))]
  const warningTexts = kinds.map((words) => {
    // a method chooses the text, which may equal a property of Object.prototype
    const counts = rows.flatMap(({ name, summary: { warnings, indexes } }) =>
      Object.hasOwn(warnings, words)
        ? [`${name} ${warnings[words] ?? 0}${indexes ? ` (in ${indexes.built} indexes)` : ''}`]
        : [],
    )
    return `${words}: ${listing(counts)}`
  })
  const [first = ''] = warningTexts
  return warningTexts.length > 0 && `${first.charAt(0).toUpperCase()}${warningTexts.join('; ').slice(1)}.`
}

/** `111 of 235 at index (34.7 %) and 1 of 50 at retrieve (2.0 %)`; undefined if none. */
function truncatedInputsText({ usage }: ShownRow): string | undefined {
  const phases = usage.flatMap(({ phase, embeddedTexts = 0, cutTexts: cut = 0, unreadTokens = 0, embeddedTokens }) =>
    cut === 0
      ? []
      : [`${cut} of ${embeddedTexts} at ${phase} (${percent(unreadTokens / (unreadTokens + embeddedTokens))})`],
  )
  return phases.join(' and ') || undefined
}

/** Vector databases, and the recall of approximate search. */
function storeNote({ rows }: Facts): string | false {
  const engines = rows.flatMap(({ name, summary: { store } }) => {
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
  return engines.length > 0 && `Vectors in a database: ${engines.join('; ')}.`
}

type CountOfReplies = 'cut' | 'repaired' | 'partial' | 'withoutSchema' | 'withoutSystem' | 'cutPrompts'

/** `12 (index 9, answer 3)`; undefined if none. */
function replyCount(flaw: CountOfReplies): (row: ShownRow) => string | undefined {
  return ({ usage }) => {
    const phaseCounts = usage.flatMap(({ phase, [flaw]: count = 0 }) => (count > 0 ? [{ phase, count }] : []))
    if (phaseCounts.length === 0) return undefined
    const phases = phaseCounts.map(({ phase, count }) => `${phase} ${count}`).join(', ')
    return `${sum(phaseCounts.map(({ count }) => count))} (${phases})`
  }
}

/** One note per scorer that skipped answers; groups rows with equal counts and reasons. */
function skippedScoreNotes({ rows }: Facts): readonly string[] {
  const skips = rows.flatMap(({ name, summary }) =>
    summary.skipped.map(({ scorer, skipped, of, reasons }) => {
      const [reason = '', ...rest] = byCount(reasons).map(([text]) => text)
      const why = `${rest.length > 0 ? 'mostly: ' : ''}${reason}`
      return { name, scorer, how: `${skipped} of ${plural(of, 'answer')}`, why }
    }),
  )
  const byScorer = groupBy(skips, ({ scorer }) => scorer)
  return Array.from(byScorer, ([scorer, skipped]) => {
    const groups = [...groupBy(skipped, ({ how, why }) => JSON.stringify([how, why])).values()]
    const parts = groups.map((group) => {
      const isAll = group.length > 1 && group.length === rows.length
      const rowNames = isAll ? 'every row' : listing(group.map(({ name }) => name))
      return `${group[0].how} of ${rowNames} (${group[0].why})`
    })
    return `${scorer} did not score ${parts.join(', and ')}.`
  })
}

/** The three most frequent reasons with counts, and the number of further reasons. */
function topReasons(counts: Readonly<Record<string, number>>): string {
  const reasons = byCount(counts)
  const texts = reasons
    .slice(0, 3)
    .map(([reason, count]) => (reasons.length === 1 ? shortenReason(reason) : `${count} ${shortenReason(reason)}`))
  const rest = reasons.length > 3 ? [plural(reasons.length - 3, 'other reason')] : []
  return [...texts, ...rest].join('; ')
}

function shortenReason(reason: string): string {
  const line = reason.replaceAll(/\s+/g, ' ').trim()
  return line.length > 160 ? `${line.slice(0, 159)}…` : line || 'no reason given'
}

const byCount = (reasons: Readonly<Record<string, number>>): readonly (readonly [string, number])[] =>
  Object.entries(reasons).sort(([, a], [, b]) => b - a)
