import { groupBy } from '../../basics/collections.ts'
import { median, sum } from '../../math/statistics/descriptive.ts'
import { formatCount, listing, percent, plural, present } from '../../text/amounts.ts'
import { whyEmpty } from '../show/messages.ts'
import { runOfRow, runsIn } from '../synthetic.ts'
import type { Facts, Note } from './note.ts'
import { perRowNote } from './note.ts'
import { extractionPrecision } from './row-columns.ts'
import { nameOf, type ShownRow } from './rows.ts'

/** Failed trials and scores per row, with the three most frequent reasons. */
export const failureNotes: readonly Note[] = [
  perRowNote(
    'Failed trials, not in the means',
    ({ summary: { failed, failures } }) => failed && `${failed} (${topReasons(failures)})`,
    2,
  ),
  perRowNote(
    'Failed scores, not in the means',
    ({ summary: { failedScores, scoreFailures } }) => failedScores && `${failedScores} (${topReasons(scoreFailures)})`,
    2,
  ),
]

/** Failures, losses and fallbacks: one note per fact, with its rows. */
export const rowNotes: readonly Note[] = [
  perRowNote(
    `Fixed answers without a model call: ${whyEmpty('end')}`,
    ({ summary: { canned, unfitted = 0 } }) => canned - unfitted,
  ),
  perRowNote(`Fixed answers without a model call: ${whyEmpty('tokens')}`, ({ summary }) => summary.unfitted),
  perRowNote('Choice replies without exactly one option, scored as wrong', ({ summary }) => summary.unreadable),
  perRowNote('Choice replies equally close to several options, read as the first', ({ summary }) => summary.tied),
  perRowNote('Passages with text beyond their chunk, which the answerer reads', ({ summary }) => summary.around),
  perRowNote(
    'Tables of facts in the mean context, in tokens of all',
    ({ summary: { factTokens = 0, trials, failed, contextTokens } }) =>
      factTokens > 0 ? `${Math.round(factTokens / (trials - failed))} of ${Math.round(contextTokens ?? 0)}` : undefined,
  ),
  perRowNote('Passages with invisible characters', ({ summary }) => summary.invisible),
  perRowNote('Contexts below half of the budget', ({ method, summary: { passages, contextTokens } }, { manifest }) => {
    const { budget = runOfRow(manifest, method).budget } = method
    return manifest.answers !== 'none' &&
      method.context === undefined &&
      passages !== null &&
      contextTokens !== null &&
      passages < budget.passages / 2 &&
      contextTokens < budget.tokens / 2
      ? `(${passages.toFixed(1)} passages, ${Math.round(contextTokens)} tokens)`
      : undefined
  }),
  {
    // rows whose mean context is below a quarter of the median
    text({ manifest, rows }) {
      const sizes = rows.flatMap(({ name, method, summary: { contextTokens } }) =>
        method.context === undefined && contextTokens !== null ? [{ name, tokens: contextTokens }] : [],
      )
      if (manifest.answers === 'none' || sizes.length < 3) return false
      const medianTokens = median(sizes.map(({ tokens }) => tokens))
      const small = sizes.filter(({ tokens }) => tokens < medianTokens / 4)
      return (
        small.length > 0 &&
        `Contexts below a quarter of the median (${Math.round(medianTokens)} tokens): ${listing(small.map(({ name, tokens }) => `${name} ${Math.round(tokens)}`))}. Such a row may measure its budget, not its method.`
      )
    },
  },
  ...failureNotes,
  {
    // warnings of indexes, joined
    text({ rows }) {
      const kinds = [...new Set(rows.flatMap(({ summary }) => Object.keys(summary.warnings)))]
      const texts = kinds.map((words) => {
        // a method chooses the text, which may equal a property of Object.prototype
        const counts = rows.flatMap(({ name, summary: { warnings, indexes } }) =>
          Object.hasOwn(warnings, words)
            ? [`${name} ${warnings[words] ?? 0}${indexes ? ` (in ${indexes.built} indexes)` : ''}`]
            : [],
        )
        return `${words}: ${listing(counts)}`
      })
      const all = texts.join('; ')
      return texts.length > 0 && `${all.charAt(0).toUpperCase()}${all.slice(1)}.`
    },
  },
  perRowNote('First text that failed to embed', ({ summary: { unembedded } }) =>
    unembedded === undefined ? undefined : `(${shortenReason(unembedded)})`,
  ),
  {
    text: ({ rows }) =>
      rows.some(({ summary }) => summary.names) &&
      'grounded: extraction precision, the share of extracted names that occur in the source text.',
  },
  perRowNote(
    'Extraction precision below one half',
    ({ summary: { names } }) => (names && 2 * names.grounded < names.checked ? extractionPrecision(names) : undefined),
    7,
  ),
  perRowNote('Contexts cut off at a token limit', ({ method, summary: { cutContexts, trials, passages } }) =>
    method.context === undefined
      ? cutContexts && `${cutContexts} of ${trials} (${passages?.toFixed(1) ?? '–'} passages in the mean)`
      : undefined,
  ),
  // `111 of 235 at index (34.7 %) and 1 of 50 at retrieve (2.0 %)`
  perRowNote('Truncated embedder inputs, with the share of unread tokens', ({ usage }) => {
    const phases = usage.flatMap(({ phase, embeddedTexts = 0, cutTexts: cut = 0, unreadTokens = 0, embeddedTokens }) =>
      cut === 0
        ? []
        : [`${cut} of ${embeddedTexts} at ${phase} (${percent(unreadTokens / (unreadTokens + embeddedTokens))})`],
    )
    return phases.join(' and ') || undefined
  }),
  perRowNote('Trials that used a fallback', ({ summary: { fallbacks, trials } }) => {
    const total = sum(Object.values(fallbacks))
    return total && `${total} of ${trials} (${topReasons(fallbacks)})`
  }),
  perRowNote('Agents, in the mean of a question', ({ summary: { agent } }) => {
    if (!agent) return undefined
    const { calls, searches, newPassagesPerSearch, observedTokens, repeated, malformed } = agent
    return present(
      `${calls.toFixed(1)} calls`,
      `${searches.toFixed(1)} searches with ${newPassagesPerSearch.toFixed(1)} new passages each`,
      `${Math.round(observedTokens)} tokens observed`,
      repeated > 0 && `${repeated.toFixed(2)} repeated`,
      malformed > 0 && `${malformed.toFixed(2)} malformed`,
    ).join('; ')
  }),
  perRowNote(
    'Why agents stopped',
    ({ summary: { agent } }) =>
      agent &&
      byCount(agent.stops)
        .map(([reason, count]) => `${reason} ${count}`)
        .join('; '),
  ),
  perRowNote('Evidence recall of agents after each turn, and in the context', ({ summary: { agent } }) => {
    if (!agent || agent.contextRecall === null) return undefined
    return `${agent.recallByTurn.map(percent).join(' → ')}, ${percent(agent.contextRecall)}`
  }),
  perRowNote(
    'Records in the file without a question of the run',
    ({ summary: { unusedRecords } }) => unusedRecords && formatCount(unusedRecords),
  ),
  { text: storeNote },
  perRowNote('Replies cut off at the token limit', replyCount('cut')),
  perRowNote('Replies with repaired JSON', replyCount('repaired')),
  perRowNote('Replies with dropped malformed items', (row) => {
    const partial = replyCount('partial')(row)
    return partial && `${partial}, ${plural(sum(row.usage.map(({ skippedItems = 0 }) => skippedItems)), 'item')} in all`
  }),
  perRowNote('Calls without a JSON schema, which the server refused', replyCount('withoutSchema')),
  perRowNote(
    'Calls without a system message, which the server refused; it precedes the question',
    replyCount('withoutSystem'),
  ),
  perRowNote(
    'Calls whose prompt the server truncated to less than half, by its token count',
    replyCount('cutPrompts'),
    6,
  ),
  perRowNote(
    'Answers with a leading tag, scored as part of the answer',
    ({ summary: { firstTags = {}, trials, failed } }) =>
      byCount(firstTags)
        .map(([tag, count]) => `${count} of ${trials - failed} with ${tag}`)
        .join(' and ') || undefined,
  ),
  perRowNote('Language model calls for the index', ({ summary: { paperCalls }, usage }) => {
    const calls = usage.flatMap((cell) => (cell.phase === 'index' ? [cell.calls - (cell.embeddingCalls ?? 0)] : []))
    return paperCalls ? `${sum(calls)} (its paper counts ${paperCalls})` : undefined
  }),
  { text: skippedScoreNotes },
  {
    text({ manifest: { methods }, table: { sameContexts = [] } }) {
      const name = (id: string): string => methods.filter((row) => row.id === id).map(nameOf)[0] ?? id
      const pairs = sameContexts.map(({ rows: [a, b], same, of }) => `${name(a)} and ${name(b)} (${same} of ${of})`)
      return pairs.length > 0 && `Nearly identical contexts: ${listing(pairs)}.`
    },
  },
  {
    text({ manifest }) {
      const calls = sum(runsIn(manifest).map(({ callsInNoLine = 0 }) => callsInNoLine))
      return calls > 0 && `Not counted in any row: ${plural(calls, 'call')}, such as those of a rebuilt index.`
    },
  },
]

/** Vector databases, and the recall of approximate search. */
function storeNote({ rows }: Facts): string | false {
  const engines = rows.flatMap(({ name, summary: { store } }) => {
    if (!store) return []
    const { engine, found, of, questions, asked } = store
    if (/exact search$/.test(engine)) return [`${name} in ${engine}`]
    const all = plural(asked, 'question')
    const recall =
      questions === 0
        ? `recall unknown: no exact search of any of ${all}`
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
