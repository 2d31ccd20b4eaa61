import type { Row, Manifest } from '../../records.ts'
import { rowName } from '../../text/names.ts'
import type { OneMore } from '../table/one-more.ts'
import type { Table, TableRow } from '../table/table.ts'
import { listing, percent, present } from './amounts.ts'
import { unseenCalls } from '../../basics/metrics.ts'
import { isRow } from '../compare/rows-to-compare.ts'

/** A count of a series by row. */
export interface FlawColumn {
  readonly title: string
  readonly counts: readonly number[]
}

/** What went wrong in the rows of a series, by kind; none of a run by itself, whose notes tell it. */
export function flawColumns({ series }: Pick<Manifest, 'series'>, { rows, usage }: Table): readonly FlawColumn[] {
  if (!series) return []
  const column = (title: string, of: (row: TableRow) => number): FlawColumn => ({ title, counts: rows.map(of) })
  const replies = (flaw: 'cut' | 'repaired' | 'partial') => (row: TableRow) =>
    sum(usage.filter((one) => isAsking(one, row)).map((one) => one[flaw] ?? 0))
  const kinds = [...new Set(rows.flatMap(({ failureKinds = {} }) => Object.keys(failureKinds)))].sort()
  const all = [
    ...kinds.map((kind) => column(`failed: ${kind}`, ({ failureKinds = {} }) => failureKinds[kind] ?? 0)),
    column('unreadable choices', ({ unreadable }) => unreadable),
    column('fallbacks', ({ fallbacks }) => sum(Object.values(fallbacks))),
    column('cut replies', replies('cut')),
    column('repaired replies', replies('repaired')),
    column('partial replies', replies('partial')),
    column('ungrounded names', ({ names }) => (names ? names.checked - names.grounded : 0)),
    column('index warnings', ({ warnings }) => {
      return sum(Object.entries(warnings).flatMap(([words, count]) => (words === unseenCalls ? [] : [count])))
    }),
  ]
  return all.filter(({ counts }) => counts.some((count) => count > 0))
}

/** Not of judges: these are no part of a method. */
const isAsking = (one: Table['usage'][number], row: TableRow): boolean => isRow(one, row) && one.phase !== 'judge'

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** A column of a series over `dataset.drop`, a text a row. */
export interface OneMoreColumn {
  readonly title: string
  readonly texts: readonly string[]
}

/** What one document more costs every row and what it changes; of no other table, and none that is empty. */
export function oneMoreColumns({ oneMore = [] }: Pick<Table, 'oneMore'>): readonly OneMoreColumn[] {
  const column = (title: string, of: (one: OneMore) => string): OneMoreColumn => ({
    title,
    texts: oneMore.map((row) => (row.oneMore ? of(row.oneMore) : none)),
  })
  const again = (field: Amount) => (one: OneMore) => againText(one, field)
  const all = [
    column('calls again, a document', again('calls')),
    column('tokens again, a document', again('tokens')),
    column('embedded tokens again, a document', again('embeddedTokens')),
    column('seconds again, a document', again('seconds')),
    column('contexts changed', ({ contexts }) => shareText(contexts)),
    column('contexts changed, no new text', ({ withoutNew }) => shareText(withoutNew)),
    column('answers changed', ({ answers }) => shareText(answers)),
    { title: 'deleted text quoted', texts: oneMore.map(({ quoted }) => (quoted ? shareText(quoted) : none)) },
  ]
  return all.filter(({ texts }) => texts.some((text) => text !== none))
}

const none = '–'

type Amount = keyof NonNullable<OneMore['again']>

/** `12.4 (88.0 %)`: for every document that came in, and the share of building the index from nothing. */
function againText({ documents, again, whole }: OneMore, field: Amount): string {
  if (!again || !whole) return 'not known'
  const [part, all] = [again[field], whole[field]]
  if (part === undefined || all === undefined || all === 0) return none
  const each = part / documents
  const digits = field === 'seconds' ? 2 : 1
  return `${each.toFixed(each < 100 ? digits : 0)} (${percent(part / all)})`
}

const shareText = ({ count, of }: OneMore['contexts']): string => (of === 0 ? none : `${percent(count / of)} of ${of}`)

/** How these columns are to be read; nothing of any other table. */
export function notesOnOneMore({
  oneMore = [],
  rows,
}: Pick<Table, 'oneMore'> & { readonly rows: readonly Row[] }): readonly string[] {
  if (!oneMore.some((row) => row.oneMore)) return []
  const unknown = oneMore.flatMap(({ oneMore: one }, index) => {
    const row = rows[index]
    return one && row && !(one.again && one.whole) ? [rowName(row)] : []
  })
  return present(
    'One document more: a row is compared with the same row of the run with the next fewer documents. Calls of the language model, their tokens and embedded tokens that its index asked and that the index of the smaller run had not, for each document that came in, and in brackets their share of all that the index asked, each different call counted once; retrieval and answers are not among them. Seconds are those shares of the time that the calls of the index took when they were made, completions by their tokens and embeddings by theirs. Changed are contexts (other passages, or in another order) and answers of questions whose evidence lies in documents that both runs hold; "no new text": the context holds nothing of a document that came in. Deleted text is a sentence of five words or more of a document that is left out and that stands in no other.',
    unknown.length > 0 &&
      `What is asked again is not known where an index failed or is missing in one of the two runs: ${listing(unknown)}.`,
  )
}
