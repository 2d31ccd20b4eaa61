import { itemAt, slices } from '../../basics/collections.ts'
import { rowLabels } from '../../text/names.ts'
import { isReferenceRow } from '../compare/rows-to-compare.ts'
import { packJson } from '../page-head.ts'
import { acrossHtml, compareWithFirst } from './comparisons.ts'
import { perPart, type ListedQuestion, type PageRow } from './page-data.ts'
import { reportPage } from './page.ts'
import { questionDetails } from './question-details.ts'
import { readQuestionScores, type PageRun } from './questions.ts'
import { runSections, type RunSections } from './run-section.ts'

interface ReportSettings {
  /** Include texts of datasets and models. */
  readonly texts: boolean
  /** Letters of packed questions; those beyond are listed without details. */
  readonly maxLetters?: number
}

/** Builds the page, and its figures with unique names. Throws UserError as `diffRuns` does. */
export async function makeReport(runs: readonly PageRun[], { texts, maxLetters = 64e6 }: ReportSettings) {
  const isOne = runs.length === 1
  const rows = runs.flatMap((run, index) => rowsOf(run, isOne ? '' : ` · run ${index + 1}`))
  const { questions: allIds, metrics, scoresOf } = await readQuestionScores(runs)
  const comparisons = await compareWithFirst(runs)
  const changes = comparisons.flatMap((comparison) => comparison.rows)
  const parts: string[] = []
  let letters = 0
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
    for (const part of slices(details, perPart)) {
      const packedPart = packJson(part.map(({ html }) => html))
      letters += packedPart.length
      if (letters <= maxLetters) parts.push(packedPart)
    }
  }
  const sections: RunSections[] = []
  // sequential: Vega counts ids per process
  for (const [index, run] of runs.entries())
    sections.push(await runSections(run, isOne ? '' : `Run ${index + 1}: ${run.name}`))
  const text = reportPage({
    title: [...new Set(runs.map((run) => run.manifest.name))].join(', '),
    notices: [
      ...(texts ? licenceNotices(runs) : ['This page omits texts of the dataset and of models.']),
      ...(letters > maxLetters ? [`Details of the first ${parts.length * perPart} questions only: ${remedy}`] : []),
    ],
    summary: [
      ...comparisons.map(({ html }) => html),
      ...sections.map(({ summary }) => summary),
      ...runs.map(({ table }) => acrossHtml(table)),
    ].join('\n'),
    tables: sections.map(({ tables }) => tables).join('\n'),
    data: { rows, metrics, questions, changes: changes.map(({ name }) => ({ name })) },
    parts,
  })
  const figures = sections.flatMap((section, index) =>
    section.figures.map(({ name: figure, svg }) => ({ name: isOne ? figure : `${index + 1}-${figure}`, svg })),
  )
  return { text, figures }
}

const remedy = 'gembench show prints the others, and --no-texts makes a small page.'

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
