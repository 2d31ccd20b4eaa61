import { UserError } from '../../errors.ts'
import { diffRuns, type RunDiff } from '../diff/diff-runs.ts'
import { changesTable, diffNotes, testLines } from '../diff/messages.ts'
import type { Change, QuestionIds } from '../diff/question-changes.ts'
import { escapeXml } from '../page-head.ts'
import { describeAcross } from '../render/describe-across.ts'
import type { Table } from '../table/table.ts'
import type { PageRun } from './questions.ts'
import { notesHtml, tableHtml } from './table-html.ts'

/**
 * What changed from the first run to every later one, with the changes of questions by row; without rows for a run that
 * cannot be compared.
 */
export async function compareWithFirst([first, ...later]: readonly PageRun[]) {
  const comparisons: { readonly html: string; readonly rows: ReturnType<typeof rowChanges> }[] = []
  for (const [index, run] of later.entries()) {
    if (!first) break
    const title = `<h2>${escapeXml(`From ${first.name} to ${run.name}`)}</h2>`
    try {
      const diff = await diffRuns(first, run)
      comparisons.push({ html: `<section>${title}\n${changesHtml(diff)}</section>`, rows: rowChanges(diff, index + 1) })
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      const refusal = `Not compared, as by gembench diff: ${error.message}`
      comparisons.push({ html: `<section>${title}<p>${escapeXml(refusal)}</p></section>`, rows: [] })
    }
  }
  return comparisons
}

const changesHtml = (diff: RunDiff) =>
  `${testLines(diff)
    .map((line) => `<p class="verdict">${escapeXml(line)}</p>`)
    .join('')}
${tableHtml(changesTable(diff), `Questions by change, ${diff.scorer}.${diff.metric}; means in percent`)}
${notesHtml(diffNotes(diff))}`

const rowChanges = ({ rows, before, after }: RunDiff, run: number) =>
  rows.map(({ name, questions }) => {
    const byId = new Map(questions.map(({ id, change }) => [id, change]))
    return {
      name: `${name}: ${before} → ${after}`,
      changeOf: (ids: QuestionIds): Change | null =>
        ids[0] === undefined || ids[run] === undefined ? null : (byId.get(ids[0]) ?? null),
    }
  })

/** Mean ranks and pairs of rows over the runs of a series. */
export function acrossHtml({ across }: Pick<Table, 'across'>): string {
  if (!across) return ''
  const { title, tables, notes } = describeAcross(across)
  return `<section>
<h2>${escapeXml(title)}</h2>
${tables.map((table) => tableHtml(table, '')).join('')}
${notesHtml(notes)}
</section>`
}
