import { itemAt, slices } from '../../basics/collections.ts'
import { rowLabels } from '../../text/names.ts'
import { isReferenceRow } from '../compare/rows-to-compare.ts'
import { packJson } from '../page-head.ts'
import { acrossHtml, compareWithFirst } from './comparisons.ts'
import type { ListedQuestion, PageData, PageRow } from './page-data.ts'
import { reportPage } from './page.ts'
import { questionDetails } from './question-details.ts'
import { readQuestionScores, type PageRun } from './questions.ts'
import { runSections, type RunSections } from './run-section.ts'

interface ReportSettings {
  readonly name: string
  /** Include texts of datasets and models. */
  readonly texts: boolean
  /** Letters of packed questions in a single page; above it, parts are files. */
  readonly maxLetters?: number
  /** Questions per part. */
  readonly perPart?: number
}

/**
 * Builds one page, or above `maxLetters` a page and a folder of parts, with names relative to the page's folder; and
 * the figures of the page, with unique names. Throws UserError as `diffRuns` does.
 */
export async function makeReport(
  runs: readonly PageRun[],
  { name, texts, maxLetters = 32e6, perPart = 50 }: ReportSettings,
) {
  const isOne = runs.length === 1
  const rows = runs.flatMap((run, index) => rowsOf(run, isOne ? '' : ` · run ${index + 1}`))
  const { questions: allIds, metrics, scoresOf } = await readQuestionScores(runs)
  const comparisons = await compareWithFirst(runs)
  const changes = comparisons.flatMap((comparison) => comparison.rows)
  const parts: string[] = []
  const questions: ListedQuestion[] = []
  // reads trials once per two thousand questions
  for (const batch of slices(allIds, perPart * 40)) {
    const details = await questionDetails(runs, rows, metrics, batch, texts)
    for (const [index, { text }] of details.entries()) {
      const ids = itemAt(batch, index)
      const run = ids.findIndex((id) => id !== undefined)
      // two runs may use one id for different questions
      const id = `${itemAt(ids, run)}${run === 0 ? '' : ` · run ${run + 1}`}`
      questions.push({ id, text, scores: scoresOf(ids), changes: changes.map(({ changeOf }) => changeOf(ids)) })
    }
    for (const part of slices(details, perPart)) parts.push(packJson(part.map(({ html }) => html)))
  }
  const sections: RunSections[] = []
  // sequential: Vega counts ids per process
  for (const [index, run] of runs.entries())
    sections.push(await runSections(run, isOne ? '' : `Run ${index + 1}: ${run.name}`))
  const changedRows = changes.map((row) => ({ name: row.name }))
  const data: PageData = { rows, metrics, questions, changes: changedRows, perPart, firstPart: 0 }
  const title = [...new Set(runs.map((run) => run.manifest.name))].join(', ')
  const page = {
    title,
    notices: texts ? licenceNotices(runs) : ['This page omits texts of the dataset and of models.'],
    summary: [
      ...comparisons.map(({ html }) => html),
      ...sections.map(({ summary }) => summary),
      ...runs.map(({ table }) => acrossHtml(table)),
    ].join('\n'),
    tables: sections.map(({ tables }) => tables).join('\n'),
  }
  const figures = sections.flatMap((section, index) =>
    section.figures.map(({ name: figure, svg }) => ({ name: isOne ? figure : `${index + 1}-${figure}`, svg })),
  )
  if (parts.reduce((sum, part) => sum + part.length, 0) <= maxLetters)
    return { files: [{ name, text: reportPage({ ...page, data, parts }) }], figures }
  const partNames = parts.map((_, index) => `${partsFolder(name)}/${index + 1}.html`)
  const main = { name, text: reportPage({ ...page, data: { ...data, files: partNames }, parts: [] }) }
  const partPage = (part: string, index: number) => ({
    name: itemAt(partNames, index),
    text: reportPage({
      title: `${title}, part ${index + 1} of ${parts.length}`,
      notices: page.notices,
      data: {
        ...data,
        questions: questions.slice(index * perPart, (index + 1) * perPart),
        firstPart: index,
        home: `../${name}`,
      },
      parts: [part],
    }),
  })
  return { files: [main, ...parts.map(partPage)], figures }
}

/** The folder of the parts of a report: `report.parts`, with `1.html` and so on. */
export const partsFolder = (report: string): string => `${report.replace(/\.html?$/i, '')}.parts`

function rowsOf({ manifest }: PageRun, suffix: string): readonly PageRow[] {
  const labels = rowLabels(manifest.methods)
  return manifest.methods.map((row, index): PageRow => ({
    name: `${itemAt(labels, index)}${suffix}`,
    isReference: isReferenceRow(row),
    isClosedBook: row.context === 'none',
  }))
}

/** Warnings about datasets without an open licence. */
const licenceNotices = (runs: readonly PageRun[]) => {
  const datasets = runs.map(({ manifest }) => manifest.dataset).filter(({ licence }) => !isOpen(licence))
  const notices = datasets.map(({ name, licence }) => {
    const texts = `texts of ${name}, whose licence is not open (${licence || 'none is stated'})`
    return `This page holds ${texts}: do not publish it. --no-texts omits them.`
  })
  return [...new Set(notices)]
}

/** Whether every part of a dataset's licence, separated by semicolons, is open. */
export const isOpen = (licence: string): boolean => licence.split(';').every((part) => open.test(part.trim()))

const open =
  /^(?:MIT|BSD(?:[- ]\d-Clause)?|Apache(?:[- ]2\.0)|CC0(?: 1\.0)?|CC[- ]BY(?:-SA)?(?: \d\.0)?|CDLA-Permissive \d\.0|ODC-BY(?: 1\.0)?|public domain)(?: \([^()]*\))?$/i
