import { groupBy } from '../../basics/collections.ts'
import { median, sum } from '../../math/statistics/descriptive.ts'
import { formatCount, listing, percent, plural } from '../../text/amounts.ts'
import { whyEmpty } from '../show/words.ts'
import { runOfRow, runsIn } from '../synthetic.ts'
import type { Facts, Note } from './note.ts'
import { ofRows } from './note.ts'
import { groundedText } from './row-columns.ts'
import { nameOf, type ShownRow } from './rows.ts'

/** How many trials and scores of every row failed, with the three commonest reasons. */
export const failureNotes: readonly Note[] = [
  ofRows(
    'Failed trials are left out of the means',
    ({ summary: { failed, failures } }) => failed && `${failed} (${commonest(failures)})`,
    2,
  ),
  ofRows(
    'Failed scores are left out of the means',
    ({ summary: { failedScores, scoreFailures } }) => failedScores && `${failedScores} (${commonest(scoreFailures)})`,
    2,
  ),
]

/** What failed, was lost or was done otherwise than intended: a note a fact, with the rows that it is true of. */
export const rowNotes: readonly Note[] = [
  ofRows(
    `Answered without a call because ${whyEmpty('end')}`,
    ({ summary: { canned, unfitted = 0 } }) => canned - unfitted,
  ),
  ofRows(`Answered without a call because ${whyEmpty('tokens')}`, ({ summary }) => summary.unfitted),
  ofRows('Replies that named no option, or several, count as wrong', ({ summary }) => summary.unreadable),
  ofRows('Replies as near to several options took the first of them', ({ summary }) => summary.tied),
  ofRows(
    "Passages that call themselves chunks and carry words beside the documents' own, which the answerer reads, too",
    ({ summary }) => summary.around,
  ),
  ofRows(
    'Passages with characters that are not seen, of the documents or put there by the method',
    ({ summary }) => summary.invisible,
  ),
  { text: underfilled },
  { text: starved },
  ...failureNotes,
  { text: indexWarnings },
  ofRows('The first text that could not be embedded', ({ summary: { unembedded } }) =>
    unembedded === undefined ? undefined : `(${shortened(unembedded)})`,
  ),
  {
    text: ({ rows }) =>
      rows.some(({ summary }) => summary.names) &&
      'grounded: the share of extracted names that stand in the text they were taken from.',
  },
  ofRows(
    'Less than half of the extracted names stand in the text they were taken from',
    ({ summary: { names } }) => (names && 2 * names.grounded < names.checked ? groundedText(names) : undefined),
    7,
  ),
  ofRows(
    'Contexts cut at a token limit, of the budget or of the method',
    ({ method, summary: { cutContexts, trials, passages } }) =>
      method.context === undefined
        ? cutContexts && `${cutContexts} of ${trials} (${passages?.toFixed(1) ?? '–'} passages in the mean)`
        : undefined,
  ),
  ofRows(
    'Texts that the embedder did not read to the end, with the share of all tokens that was not read',
    truncatedInputs,
  ),
  ofRows('Trials that used a fallback', ({ summary: { fallbacks, trials } }) => {
    const total = sum(Object.values(fallbacks))
    return total && `${total} of ${trials} (${commonest(fallbacks)})`
  }),
  ofRows(
    'Records of a file that are of no question of the run',
    ({ summary: { unusedRecords } }) => unusedRecords && formatCount(unusedRecords),
  ),
  { text: stores },
  ofRows('Replies that ended at the token limit', replies('cut')),
  ofRows('Replies with JSON that was repaired', replies('repaired')),
  ofRows('Replies of which items of the wrong form were dropped', (row) => {
    const partial = replies('partial')(row)
    return partial && `${partial}, ${plural(sum(row.usage.map(({ skippedItems = 0 }) => skippedItems)), 'item')} in all`
  }),
  ofRows('Calls without the JSON schema of the reply, which the server refused', replies('withoutSchema')),
  ofRows(
    'Calls whose system message was put before the first question, since the server refused it',
    replies('withoutSystem'),
  ),
  ofRows(
    'Calls of which the server read less than half of the prompt, by its own count of tokens',
    replies('cutPrompts'),
    6,
  ),
  ofRows(
    'Answers that begin with the same tag, which is scored as a part of the answer',
    ({ summary: { firstTags = {}, trials, failed } }) =>
      byCount(firstTags)
        .map(([tag, count]) => `${count} of ${trials - failed} with ${tag}`)
        .join(' and ') || undefined,
  ),
  ofRows('Calls to a language model to build the index', ({ summary: { paperCalls }, usage }) => {
    const calls = usage.flatMap((one) => (one.phase === 'index' ? [one.calls - (one.embeddingCalls ?? 0)] : []))
    return paperCalls ? `${sum(calls)} (its paper counts ${paperCalls})` : undefined
  }),
  { text: skippedScores },
  {
    text({ manifest: { methods }, table: { sameContexts = [] } }) {
      const named = (id: string): string => methods.filter((row) => row.id === id).map(nameOf)[0] ?? id
      const pairs = sameContexts.map(({ rows: [a, b], same, of }) => `${named(a)} and ${named(b)} (${same} of ${of})`)
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

/** Rows within the budget whose contexts used less than half of both its limits, in the mean. */
function underfilled({ manifest, rows }: Facts): string | false {
  if (manifest.answers === 'none') return false
  const named = rows.flatMap(({ name, method, summary: { passages, contextTokens } }) => {
    const { budget = runOfRow(manifest, method).budget } = method
    return method.context === undefined &&
      passages !== null &&
      contextTokens !== null &&
      passages < budget.passages / 2 &&
      contextTokens < budget.tokens / 2
      ? [`${name} (${passages.toFixed(1)} passages, ${Math.round(contextTokens)} tokens)`]
      : []
  })
  return named.length > 0 && `Less than half of the budget, in passages and in tokens: ${listing(named)}.`
}

/** Rows within the budget whose contexts are far smaller than those of the others. */
function starved({ manifest, rows }: Facts): string | false {
  const sizes = rows.flatMap(({ name, method, summary: { contextTokens } }) =>
    method.context === undefined && contextTokens !== null ? [{ name, tokens: contextTokens }] : [],
  )
  if (manifest.answers === 'none' || sizes.length < 3) return false
  const middle = median(sizes.map(({ tokens }) => tokens))
  const small = sizes.filter(({ tokens }) => tokens < middle / 4)
  return (
    small.length > 0 &&
    `Contexts under a quarter of the median of the rows (${Math.round(middle)} tokens): ${listing(small.map(({ name, tokens }) => `${name} ${Math.round(tokens)}`))}. Such a row may measure its budget, not its method.`
  )
}

/** What indexes say of themselves, in their words: one note for all that they lost. */
function indexWarnings({ rows }: Facts): string | false {
  const kinds = [...new Set(rows.flatMap(({ summary }) => Object.keys(summary.warnings)))]
  const lost = kinds.map((words) => {
    // words are a method's own, and may be the name of what every object has
    const counts = rows.flatMap(({ name, summary: { warnings, indexes } }) =>
      Object.hasOwn(warnings, words)
        ? [`${name} ${warnings[words] ?? 0}${indexes ? ` (in ${indexes.built} indexes)` : ''}`]
        : [],
    )
    return `${words}: ${listing(counts)}`
  })
  const [first = ''] = lost
  return lost.length > 0 && `${first.charAt(0).toUpperCase()}${lost.join('; ').slice(1)}.`
}

/** `111 of 235 at index (34.7 %) and 1 of 50 at retrieve (2.0 %)`, or nothing. */
function truncatedInputs({ usage }: ShownRow): string | undefined {
  const phases = usage.flatMap(({ phase, embeddedTexts = 0, cutTexts: cut = 0, unreadTokens = 0, embeddedTokens }) =>
    cut === 0
      ? []
      : [`${cut} of ${embeddedTexts} at ${phase} (${percent(unreadTokens / (unreadTokens + embeddedTokens))})`],
  )
  return phases.join(' and ') || undefined
}

/** Where vectors lie, and what a search by an index found, over which questions. */
function stores({ rows }: Facts): string | false {
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

/** `12 (index 9, answer 3)`, or nothing. */
function replies(flaw: CountOfReplies): (row: ShownRow) => string | undefined {
  return ({ usage }) => {
    const flawed = usage.flatMap(({ phase, [flaw]: count = 0 }) => (count > 0 ? [{ phase, count }] : []))
    if (flawed.length === 0) return undefined
    const phases = flawed.map(({ phase, count }) => `${phase} ${count}`).join(', ')
    return `${sum(flawed.map(({ count }) => count))} (${phases})`
  }
}

/** A note for each scorer that declined answers, and why. Rows that are alike in this are named together. */
function skippedScores({ rows }: Facts): readonly string[] {
  const skips = rows.flatMap(({ name, summary }) =>
    summary.skipped.map(({ scorer, skipped, of, reasons }) => {
      const [reason = '', ...others] = byCount(reasons).map(([text]) => text)
      const why = `${others.length > 0 ? 'mostly: ' : ''}${reason}`
      return { name, scorer, how: `${skipped} of ${plural(of, 'answer')}`, why }
    }),
  )
  const byScorer = groupBy(skips, ({ scorer }) => scorer)
  return Array.from(byScorer, ([scorer, skipped]) => {
    const alike = [...groupBy(skipped, ({ how, why }) => JSON.stringify([how, why])).values()]
    const parts = alike.map((group) => {
      const isAll = group.length > 1 && group.length === rows.length
      const whose = isAll ? 'every row' : listing(group.map(({ name }) => name))
      return `${group[0].how} of ${whose} (${group[0].why})`
    })
    return `${scorer} did not score ${parts.join(', and ')}.`
  })
}

/** The three commonest reasons with how often each came, and how many others there are. */
function commonest(counts: Readonly<Record<string, number>>): string {
  const reasons = byCount(counts)
  const shown = reasons
    .slice(0, 3)
    .map(([reason, count]) => (reasons.length === 1 ? shortened(reason) : `${count} ${shortened(reason)}`))
  const others = reasons.length > 3 ? [plural(reasons.length - 3, 'other reason')] : []
  return [...shown, ...others].join('; ')
}

function shortened(reason: string): string {
  const line = reason.replaceAll(/\s+/g, ' ').trim()
  return line.length > 160 ? `${line.slice(0, 159)}…` : line || 'no reason given'
}

/** The commonest first; of equals the one that came first. */
const byCount = (reasons: Readonly<Record<string, number>>): readonly (readonly [string, number])[] =>
  Object.entries(reasons).sort(([, a], [, b]) => b - a)
