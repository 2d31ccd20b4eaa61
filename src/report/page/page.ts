import { reportMark } from '../../basics/files.ts'
import { escapeXml, htmlPage, inertJson, inertText } from '../page-head.ts'
import type { PageData } from './page-data.ts'

/** `summary` and `tables`: HTML; `parts`: questions of each part, packed. */
interface PageContent {
  readonly title: string
  readonly notices: readonly string[]
  readonly summary: string
  readonly tables: string
  readonly data: PageData
  readonly parts: readonly string[]
}

/** A report as one HTML page without network access. Texts of datasets and models are escaped. */
export function reportPage({ title, notices, summary, tables, data, parts }: PageContent): string {
  const body = `<a class="skip" href="#questions">To the questions</a>
<header>
<h1>${escapeXml(title)}</h1>
${notices.map((notice) => `<p class="note">${escapeXml(notice)}</p>`).join('')}
</header>
<main>
<div id="summary">
${summary}
</div>
<section id="questions" tabindex="-1"><h2>Questions</h2>
<noscript><p>The list of questions needs JavaScript.</p></noscript>
<form class="tools" hidden>
<label>Show <select id="filter"></select></label>
<label>of <select id="row"></select></label>
<label>by <select id="metric"></select></label>
<label>sorted by <select id="sort"></select></label>
<label class="search">Search <input id="search" type="search" autocomplete="off" spellcheck="false"></label>
</form>
<p id="count" class="note" role="status"></p>
<p class="note">
One square per method: filled = score, crossed = failed, dashed = not scored. Right: at least half of the range.
</p>
<ol id="list"></ol>
<button type="button" id="more" hidden></button>
<p class="note keys">Keys: / search, ↑ ↓ select, Enter open, ← → previous and next, Esc back.</p>
</section>
<div id="tables">
${tables}
</div>
<article id="question" tabindex="-1" hidden></article>
</main>
${inertJson('data', data)}
${parts.map((part, index) => inertText(`part-${index}`, part)).join('\n')}`
  return htmlPage({ mark: reportMark, title, client: 'report' }, body)
}
