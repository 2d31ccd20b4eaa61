import type { Row } from '../../records.ts'
import { rowName } from '../../text/names.ts'
import type { OneMore } from '../table/one-more.ts'
import type { Table } from '../table/table.ts'
import { listing, percent } from './amounts.ts'

/** A column of a series over `dataset.drop`, a text a row. */
export interface OneMoreColumn {
  readonly title: string
  readonly texts: readonly string[]
}

/** What one document more costs every row and what it changes; no columns of any other table, and none that is empty. */
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
  return [
    'One document more: a row is compared with the same row of the run with the next fewer documents. Calls of the language model, their tokens and embedded tokens that its index asked and that the index of the smaller run had not, for each document that came in, and in brackets their share of all that the index asked, each different call counted once; retrieval and answers are not among them. Seconds are those shares of the time that the calls of the index took when they were made, completions by their tokens and embeddings by theirs. Changed are contexts (other passages, or in another order) and answers of questions whose evidence lies in documents that both runs hold; "no new text": the context holds nothing of a document that came in. Deleted text is a sentence of five words or more of a document that is left out and that stands in no other.',
    ...(unknown.length > 0
      ? [
          `What is asked again is not known where an index failed or is missing in one of the two runs: ${listing(unknown)}.`,
        ]
      : []),
  ]
}
