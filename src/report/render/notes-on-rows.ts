import { groupBy } from '../../basics/collections.ts'
import { sum } from '../../math/statistics/descriptive.ts'
import { listing, percent, plural, present } from '../../text/amounts.ts'
import { whyEmpty } from '../show/messages.ts'
import { runOfRow, runsIn } from '../synthetic.ts'
import { withList, nameOf, perRowNote, type Facts, type Note, type ShownRow } from './rows.ts'

/** Failed trials and scores per row, with the three most frequent reasons. */
export const failureNotes: readonly Note[] = [
  perRowNote('Failed trials, not in the means', ({ summary }) => countWithReasons(summary.failures), 2),
  perRowNote('Failed scores, not in the means', ({ summary }) => countWithReasons(summary.scoreFailures), 2),
]

/** Failures, losses and fallbacks: one note per fact, with its rows. */
export const rowNotes: readonly Note[] = [
  perRowNote(
    `Fixed answers without a model call: ${whyEmpty('end')}`,
    ({ summary: { canned, unfitted } }) => canned - unfitted,
  ),
  perRowNote(`Fixed answers without a model call: ${whyEmpty('tokens')}`, ({ summary }) => summary.unfitted),
  perRowNote('Choice replies without exactly one option, scored as wrong', ({ summary }) => summary.unreadable),
  perRowNote('Choice replies equally close to several options, read as the first', ({ summary }) => summary.tied),
  perRowNote('Passages with text beyond their chunk, which the answerer reads', ({ summary }) => summary.around),
  perRowNote('Passages with invisible characters', ({ summary }) => summary.invisible),
  perRowNote('Contexts below half of the budget', smallContext),
  ...failureNotes,
  warningsNote,
  perRowNote(
    'First text that failed to embed',
    ({ summary: { unembedded } }) => unembedded && `(${shortenReason(unembedded)})`,
  ),
  ({ rows }) =>
    rows.some(({ summary }) => summary.names) &&
    'grounded: extraction precision, the share of extracted names that occur in the source text.',
  perRowNote('Contexts cut off at a token limit', ({ method, summary: { cutContexts, trials, passages } }) =>
    method.context === undefined
      ? cutContexts && `${cutContexts} of ${trials} (${passages?.toFixed(1) ?? '–'} passages in the mean)`
      : undefined,
  ),
  perRowNote('Truncated embedder inputs, with the share of unread tokens', ({ usage }) =>
    usage
      .filter(({ cutTexts = 0 }) => cutTexts > 0)
      .map(({ phase, embeddedTexts = 0, cutTexts = 0, unreadTokens = 0, embeddedTokens }) => {
        const unreadShare = percent(unreadTokens / (unreadTokens + embeddedTokens))
        return `${cutTexts} of ${embeddedTexts} at ${phase} (${unreadShare})`
      })
      .join(' and '),
  ),
  perRowNote('Trials that used a fallback', ({ summary: { fallbacks, trials } }) =>
    countWithReasons(fallbacks, ` of ${trials}`),
  ),
  perRowNote('Agents, in the mean of a question', agentText),
  perRowNote('Vectors in a database', storeText),
  replyNote('Replies cut off at the token limit', 'cut'),
  replyNote('Replies with repaired JSON', 'repaired'),
  replyNote('Replies with dropped malformed items', 'partial'),
  replyNote('Calls without a JSON schema, which the server refused', 'withoutSchema'),
  replyNote('Calls without a system message, which the server refused; it precedes the question', 'withoutSystem'),
  replyNote('Calls whose prompt the server truncated to less than half, by its token count', 'cutPrompts', 6),
  skippedScoreNotes,
  ({ manifest: { methods }, table: { sameContexts = [] } }) => {
    const name = (id: string) => methods.filter((row) => row.id === id).map(nameOf)[0] ?? id
    const pairs = sameContexts.map(({ rows: [a, b], same, of }) => `${name(a)} and ${name(b)} (${same} of ${of})`)
    return withList(pairs, (all) => `Nearly identical contexts: ${all}.`)
  },
  ({ manifest }) => {
    const calls = sum(runsIn(manifest).map(({ callsInNoLine = 0 }) => callsInNoLine))
    return calls > 0 && `Not counted in any row: ${plural(calls, 'call')}, such as those of a rebuilt index.`
  },
]

/** The mean context, where it uses less than half of both limits of the budget. */
function smallContext({ method, summary: { passages, contextTokens } }: ShownRow, { manifest }: Facts) {
  const { budget = runOfRow(manifest, method).budget, context } = method
  const hasBudget = manifest.answers !== 'none' && context === undefined
  if (!hasBudget || passages === null || contextTokens === null) return undefined
  const hasFewPassages = passages < budget.passages / 2
  const hasFewTokens = contextTokens < budget.tokens / 2
  return hasFewPassages && hasFewTokens
    ? `(${passages.toFixed(1)} passages, ${Math.round(contextTokens)} tokens)`
    : undefined
}

/** Warnings of indexes, joined. */
function warningsNote({ rows }: Facts) {
  const kinds = [...new Set(rows.flatMap(({ summary }) => Object.keys(summary.warnings)))]
  const texts = kinds.map((words) => {
    // a method chooses the text, which may equal a property of Object.prototype
    const counts = rows.flatMap(({ name, summary: { warnings, indexes } }) => {
      if (!Object.hasOwn(warnings, words)) return []
      const place = indexes ? ` (in ${indexes.built} indexes)` : ''
      return [`${name} ${warnings[words] ?? 0}${place}`]
    })
    return `${words}: ${listing(counts)}`
  })
  const all = texts.join('; ')
  return all !== '' && `${all.charAt(0).toUpperCase()}${all.slice(1)}.`
}

function agentText({ summary: { agent } }: ShownRow) {
  if (!agent) return undefined
  const { calls, searches, newPassagesPerSearch, observedTokens, repeated, malformed, recallByTurn } = agent
  const stops = byCount(agent.stops).map(([reason, count]) => `${reason} ${count}`)
  const recalls = recallByTurn.map(percent).join(' → ')
  return present(
    `${calls.toFixed(1)} calls`,
    `${searches.toFixed(1)} searches with ${newPassagesPerSearch.toFixed(1)} new passages each`,
    `${Math.round(observedTokens)} tokens observed`,
    repeated > 0 && `${repeated.toFixed(2)} repeated`,
    malformed > 0 && `${malformed.toFixed(2)} malformed`,
    `stopped: ${stops.join(', ')}`,
    agent.contextRecall !== null &&
      `evidence recall by turn ${recalls}, in the context ${percent(agent.contextRecall)}`,
  ).join('; ')
}

/** The vector database, and the recall of an approximate search, rounded down. */
function storeText({ summary: { store } }: ShownRow) {
  if (!store) return undefined
  const { engine, found, of, questions, asked } = store
  const recall = Math.floor((1000 * found) / of) / 1000
  if (/exact search$/.test(engine)) return `in ${engine}`
  return questions === 0
    ? `in ${engine}, recall unknown`
    : `in ${engine}, recall of an exact search ${percent(recall)} (${questions} of ${plural(asked, 'question')})`
}

type CountOfReplies = 'cut' | 'repaired' | 'partial' | 'withoutSchema' | 'withoutSystem' | 'cutPrompts'

/** Counts as `12 (index 9, answer 3)`. */
function replyNote(fact: string, flaw: CountOfReplies, priority?: number): Note {
  const countsOf = ({ usage }: ShownRow) => {
    const texts = usage.flatMap(({ phase, [flaw]: count = 0 }) => (count > 0 ? [`${phase} ${count}`] : []))
    const total = sum(usage.map((cell) => cell[flaw] ?? 0))
    return texts.length > 0 && `${total} (${texts.join(', ')})`
  }
  return perRowNote(fact, countsOf, priority)
}

/** Groups rows of which a scorer skipped as many answers for the same reason. */
function skippedScoreNotes({ rows }: Facts) {
  const skips = rows.flatMap(({ name, summary }) =>
    summary.skipped.map(({ scorer, skipped, of, reasons }) => {
      const [reason = '', ...rest] = byCount(reasons).map(([text]) => text)
      const counts = `${scorer} did not score ${skipped} of ${plural(of, 'answer')} of`
      const why = rest.length > 0 ? `mostly: ${reason}` : reason
      return { name, counts, why }
    }),
  )
  const groups = groupBy(skips, ({ counts, why }) => `${counts} ${why}`)
  return Array.from(groups.values(), (group) => {
    const isAll = group.length > 1 && group.length === rows.length
    const [{ counts, why }] = group
    const names = group.map(({ name }) => name)
    return `${counts} ${isAll ? 'every row' : listing(names)} (${why}).`
  })
}

/** The total, with the three most frequent reasons and the number of further ones; undefined for none. */
function countWithReasons(counts: Readonly<Record<string, number>>, of = '') {
  const reasons = byCount(counts).map(([reason, count]) => ({ count, text: shortenReason(reason) }))
  if (reasons.length === 0) return undefined
  const texts = reasons.map(({ count, text }) => (reasons.length === 1 ? text : `${count} ${text}`))
  const more = texts.length > 3 && plural(texts.length - 3, 'other reason')
  const total = sum(Object.values(counts))
  const list = present(texts.slice(0, 3), more).join('; ')
  return `${total}${of} (${list})`
}

function shortenReason(reason: string) {
  const line = reason.replaceAll(/\s+/g, ' ').trim()
  return line.length > 160 ? `${line.slice(0, 159)}…` : line || 'no reason given'
}

const byCount = (reasons: Readonly<Record<string, number>>): readonly (readonly [string, number])[] =>
  Object.entries(reasons).sort(([, a], [, b]) => b - a)
