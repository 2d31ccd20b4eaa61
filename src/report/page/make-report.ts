import { itemAt, slices } from '../../basics/collections.ts'
import { UserError } from '../../errors.ts'
import { rowLabels, rowName } from '../../text/names.ts'
import { isReferenceRow } from '../compare/rows-to-compare.ts'
import { diffRuns } from '../diff/diff-runs.ts'
import type { Change } from '../diff/question-changes.ts'
import { packJson } from '../page-head.ts'
import type { ListedQuestion, PageData, PageRow } from './page-data.ts'
import { licenceNotices, reportPage, type Comparison } from './page.ts'
import { readParts, type PartSettings } from './parts.ts'
import { readQuestionScores, type PageRun, type QuestionIds } from './questions.ts'
import { runSections, type PageFigure } from './run-section.ts'

/** A file of a report; `name` is relative to the page's folder. */
export interface ReportFile {
  readonly name: string
  readonly text: string
}

/** `files`: the page first. `figures`: those of the page, with unique names. */
export interface PageReport {
  readonly files: readonly ReportFile[]
  readonly figures: readonly Pick<PageFigure, 'name' | 'svg'>[]
}

/**
 * `maxLetters`: letters of packed questions in a single page; above it, parts are files. `perPart`: questions per part.
 */
interface ReportSettings extends PartSettings {
  readonly name: string
  readonly maxLetters?: number
  readonly perPart?: number
}

/** Builds one page, or above `maxLetters` a page and a folder of parts. Throws UserError as `diffRuns` does. */
export async function makeReport(
  runs: readonly PageRun[],
  { name, maxLetters = 32e6, perPart = 50, ...settings }: ReportSettings,
): Promise<PageReport> {
  const { questions: ids, metrics, scoresOf } = await readQuestionScores(runs)
  const comparisons = await compareWithFirst(runs)
  const changes = comparisons.flatMap((comparison, index) => rowChanges(comparison, index))
  const parts: string[] = []
  const questions: ListedQuestion[] = []
  const usedIds = new Set<string>()
  // reads trials once per two thousand questions
  for (const batch of slices(ids, perPart * 40)) {
    const details = await readParts(runs, batch, settings)
    details.forEach(({ question }, index) => {
      const runIds = itemAt(batch, index)
      const run = runIds.findIndex((id) => id !== undefined)
      // two runs may use one id for different questions
      const firstId = itemAt(runIds, run)
      const id = usedIds.has(firstId) ? `${firstId} · run ${run + 1}` : firstId
      usedIds.add(id)
      const changesOf = changes.map(({ changeOf }) => changeOf(runIds))
      questions.push({ id, text: question?.text ?? '', scores: scoresOf(runIds), changes: changesOf })
    })
    for (const part of slices(details, perPart)) parts.push(packJson(part))
  }
  const sections = []
  // sequential: Vega counts ids per process
  for (const [index, run] of runs.entries())
    sections.push(await runSections(run, runs.length > 1 ? `Run ${index + 1}: ${run.name}` : ''))
  const data: PageData = {
    rows: runs.flatMap((run, index) => rowsOf(run, index, runs.length)),
    metrics,
    questions,
    changes: changes.map((row) => ({ name: row.name })),
    perPart,
    firstPart: 0,
  }
  const title = [...new Set(runs.map((run) => run.manifest.name))].join(', ')
  const notices = settings.texts ? licenceNotices(runs) : ['This page omits texts of the dataset and of models.']
  const page = { title, runs, sections, comparisons, notices }
  const isOne = parts.reduce((sum, part) => sum + part.length, 0) <= maxLetters
  const files = parts.map((_, index) => partFile(name, index + 1))
  const partPage = (part: string, index: number): ReportFile => ({
    name: itemAt(files, index),
    text: reportPage({
      title: `${title}, part ${index + 1} of ${parts.length}`,
      runs: [],
      sections: [],
      comparisons: [],
      notices,
      data: {
        ...data,
        questions: questions.slice(index * perPart, (index + 1) * perPart),
        firstPart: index,
        home: `../${name}`,
      },
      parts: [part],
    }),
  })
  return {
    files: isOne
      ? [{ name, text: reportPage({ ...page, data, parts }) }]
      : [{ name, text: reportPage({ ...page, data: { ...data, files }, parts: [] }) }, ...parts.map(partPage)],
    figures: sections.flatMap(({ figures }, index) =>
      figures.map(({ name, svg }) => ({ name: runs.length > 1 ? `${index + 1}-${name}` : name, svg })),
    ),
  }
}

/** `report.parts/1.html`; parts count from 1. */
export const partFile = (report: string, part: number): string =>
  `${report.replace(/\.html?$/i, '')}.parts/${part}.html`

function rowsOf({ manifest, graphs }: PageRun, run: number, runs: number): readonly PageRow[] {
  const labels = rowLabels(manifest.methods)
  return manifest.methods.map((row, index): PageRow => {
    const label = itemAt(labels, index)
    const graphsOfRow = graphs.filter((page) => page.row === rowName(row))
    return {
      name: runs > 1 ? `${label} · run ${run + 1}` : label,
      ...(isReferenceRow(row) && { reference: true }),
      ...(row.context === 'none' && { closedBook: true }),
      ...(graphsOfRow.length > 0 && { graphs: graphsOfRow.map(({ corpus, address }) => ({ corpus, address })) }),
    }
  })
}

async function compareWithFirst([first, ...later]: readonly PageRun[]): Promise<readonly Comparison[]> {
  const comparisons: Comparison[] = []
  if (!first) return comparisons
  for (const run of later) {
    try {
      comparisons.push(await diffRuns(first, run))
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      comparisons.push({ before: first.name, after: run.name, refusal: error.message })
    }
  }
  return comparisons
}

/** Changes per question of the rows of a comparison; `index`: of the run after the first. */
function rowChanges(comparison: Comparison, index: number) {
  if ('refusal' in comparison) return []
  return comparison.rows.map(({ name, questions }) => {
    const byId = new Map(questions.map(({ id, change }) => [id, change]))
    return {
      name: `${name}: ${comparison.before} → ${comparison.after}`,
      changeOf: ([first, ...rest]: QuestionIds): Change | null =>
        first === undefined || rest[index] === undefined ? null : (byId.get(first) ?? null),
    }
  })
}
