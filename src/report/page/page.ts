import { reportMark } from '../../basics/files.ts'
import type { RunDiff } from '../diff/diff-runs.ts'
import { changeSentence, changesTable, diffNotes, testLines } from '../diff/messages.ts'
import { clientFiles, escapeXml, inertJson, inertText, pageHead } from '../page-head.ts'
import type { PageData } from './page-data.ts'
import type { PageRun } from './questions.ts'
import { tableHtml, notesHtml } from './table-html.ts'
import type { RunSections } from './run-section.ts'
import { describeAcross } from '../render/describe-across.ts'
import type { Table } from '../table/table.ts'
import { present } from '../../text/amounts.ts'

/** `runs`, `sections` and `comparisons` are empty in pages of parts. */
interface PageContent {
  readonly title: string
  readonly runs: readonly PageRun[]
  readonly sections: readonly RunSections[]
  readonly comparisons: readonly Comparison[]
  readonly notices: readonly string[]
  readonly data: PageData
  /** Questions of each part, packed. */
  readonly parts: readonly string[]
}

/** A report as one HTML page without network access. Texts of datasets and models are escaped. */
export function reportPage({ title, runs, sections, comparisons, notices, data, parts }: PageContent): string {
  const { code, style } = clientFiles('report')
  return `${pageHead({ mark: reportMark, title, style, code })}
<body>
<a class="skip" href="#questions">To the questions</a>
<header><h1>${escapeXml(title)}</h1>${notices.map((notice) => `<p class="note">${escapeXml(notice)}</p>`).join('')}</header>
<main>
<div id="summary">
${comparisons.map(changesSection).join('\n')}
${sections.map(({ summary }) => summary).join('\n')}
${runs.map(({ table }) => acrossSection(table)).join('\n')}
</div>
${questionsSection}
<div id="tables">
${sections.map(({ tables }) => tables).join('\n')}
</div>
<article id="question" tabindex="-1" hidden></article>
</main>
${inertJson('data', data)}
${parts.map((part, index) => inertText(`part-${data.firstPart + index}`, part)).join('\n')}
<script>${code}</script>
</body>
</html>
`
}

const questionsSection = `<section id="questions" tabindex="-1"><h2>Questions</h2>
<noscript><p>The list of questions needs JavaScript.</p></noscript>
<form class="tools" hidden>
<label>Show <select id="filter"></select></label>
<label>of <select id="row"></select></label>
<label>by <select id="metric"></select></label>
<label>sorted by <select id="sort"></select></label>
<label class="search">Search <input id="search" type="search" autocomplete="off" spellcheck="false"></label>
</form>
<p id="count" class="note" role="status"></p>
<p class="note">One square per method: filled = score, crossed = failed, dashed = not scored. Right: at least half of the range.</p>
<ol id="list"></ol>
<button type="button" id="more" hidden></button>
<p class="note keys">Keys: / search, ↑ ↓ select, Enter open, ← → previous and next, Esc back.</p>
</section>`

/** Warnings about datasets without an open licence. */
export const licenceNotices = (runs: readonly PageRun[]): readonly string[] => [
  ...new Set(
    runs.flatMap(({ manifest: { dataset } }) =>
      present(
        !isOpen(dataset.licence) &&
          `This page holds texts of ${dataset.name}, whose licence is not open (${dataset.licence === '' ? 'none is stated' : dataset.licence}): do not publish it. --no-texts omits them.`,
      ),
    ),
  ),
]

/** The comparison of two runs, or why there is none. */
export type Comparison = RunDiff | { readonly before: string; readonly after: string; readonly refusal: string }

function changesSection(comparison: Comparison): string {
  const title = `<h2>${escapeXml(`From ${comparison.before} to ${comparison.after}`)}</h2>`
  if ('refusal' in comparison)
    return `<section>${title}<p>${escapeXml(`Not compared, as by gembench diff: ${comparison.refusal}`)}</p></section>`
  return `<section>${title}
<p class="verdict">${escapeXml(changeSentence(comparison))}</p>
${tableHtml(changesTable(comparison), `Questions by change, ${comparison.scorer}.${comparison.metric}; means in percent`)}
${notesHtml([...diffNotes(comparison), ...testLines(comparison)])}</section>`
}

/** Whether every part of a dataset's licence, separated by semicolons, is open. */
export const isOpen = (licence: string): boolean => {
  const parts = licence.split(';').map((part) => part.trim())
  return parts.every((part) => open.test(part))
}

const open =
  /^(?:MIT|BSD(?:[- ]\d-Clause)?|Apache(?:[- ]2\.0)|CC0(?: 1\.0)?|CC[- ]BY(?:-SA)?(?: \d\.0)?|CDLA-Permissive \d\.0|ODC-BY(?: 1\.0)?|public domain)(?: \([^()]*\))?$/i

/** Mean ranks and pairs of rows over the runs of a series. */
function acrossSection({ across }: Pick<Table, 'across'>): string {
  if (!across) return ''
  const { title, tables, notes } = describeAcross(across)
  return `<section>
<h2>${escapeXml(title)}</h2>
${tables.map((table) => tableHtml(table, '')).join('')}
${notesHtml(notes)}
</section>`
}
