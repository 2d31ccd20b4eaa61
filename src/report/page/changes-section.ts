import type { RunDiff } from '../diff/diff-runs.ts'
import { changesGrid, diffNotes, testLines } from '../diff/words.ts'
import { escapeXml } from '../graph/escape-xml.ts'
import { gridHtml } from './grid-html.ts'

/** Two runs compared, or why they cannot be. */
export type Compared = RunDiff | { readonly before: string; readonly after: string; readonly refused: string }

/** What got worse and better from the first run to another one. */
export function changesSection(compared: Compared): string {
  const title = `<h2>${escapeXml(`From ${compared.before} to ${compared.after}`)}</h2>`
  if ('refused' in compared)
    return `<section>${title}<p>${escapeXml(`Not compared, as by gembench diff: ${compared.refused}`)}</p></section>`
  return `<section>${title}
${gridHtml(changesGrid(compared), `Questions by what became of them, ${compared.scorer}.${compared.metric}; means in percent`)}
<ul>${[...testLines(compared), ...diffNotes(compared)].map((text) => `<li>${escapeXml(text)}</li>`).join('')}</ul></section>`
}
