import { itemAt, slices } from '../../basics/collections.ts'
import { UserError } from '../../errors.ts'
import { rowLabels, rowName } from '../../text/names.ts'
import { isReferenceRow } from '../compare/rows-to-compare.ts'
import { diffRuns } from '../diff/diff-runs.ts'
import type { Change } from '../diff/question-changes.ts'
import { packPart, type ListedQuestion, type PageData, type PagePart, type PageRow } from './page-data.ts'
import { licenceNotices, reportPage, type Compared } from './page.ts'
import { partQuestions, type PartSettings } from './parts.ts'
import { questionScores, type PageRun, type QuestionIds } from './questions.ts'
import { runSections, type PageFigure } from './run-section.ts'

/** A file of a report: its name beside the page, and its text. */
interface ReportFile {
  readonly name: string
  readonly text: string
}

/** The page first; `figures`: those of the page, whose names are unique. */
interface MadeReport {
  readonly files: readonly ReportFile[]
  readonly figures: readonly Pick<PageFigure, 'name' | 'svg'>[]
}

/** `most`: letters of parts that one page may hold; more are paged. `perPart`: questions of a part. */
interface ReportSettings extends PartSettings {
  readonly name: string
  readonly most?: number
  readonly perPart?: number
}

/** One page, or above `most` letters a page and a folder of parts. Throws UserError as `diffRuns` does. */
export async function makeReport(
  runs: readonly PageRun[],
  { name, most = 32e6, perPart = 50, ...settings }: ReportSettings,
): Promise<MadeReport> {
  const { questions: ids, metrics, scoresOf } = await questionScores(runs)
  const compared = await comparedRuns(runs)
  const changes = compared.flatMap((comparison, index) => rowChanges(comparison, index))
  const parts: PagePart[] = []
  const questions: ListedQuestion[] = []
  const taken = new Set<string>()
  // trials are read once for some thousand questions
  for (const batch of slices(ids, perPart * 40)) {
    const details = await partQuestions(runs, batch, settings)
    details.forEach(({ question }, index) => {
      const of = itemAt(batch, index)
      const run = of.findIndex((id) => id !== undefined)
      // one id with another text in another run
      const id = taken.has(itemAt(of, run)) ? `${itemAt(of, run)} · run ${run + 1}` : itemAt(of, run)
      taken.add(id)
      const changesOf = changes.map(({ changeOf }) => changeOf(of))
      questions.push({ id, text: question?.text ?? '', scores: scoresOf(of), changes: changesOf })
    })
    for (const part of slices(details, perPart)) parts.push(packPart(part))
  }
  const sections = []
  // one after the other: the library that draws charts counts over the whole process
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
  const notices = settings.texts
    ? licenceNotices(runs)
    : ['Texts of the dataset and of models are left out of this page.']
  const page = { title, runs, sections, compared, notices }
  const isOne = parts.reduce((sum, part) => sum + JSON.stringify(part).length, 0) <= most
  const files = parts.map((_, index) => partFile(name, index + 1))
  const ofPart = (part: PagePart, index: number): ReportFile => ({
    name: itemAt(files, index),
    text: reportPage({
      title: `${title}, part ${index + 1} of ${parts.length}`,
      runs: [],
      sections: [],
      compared: [],
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
      : [{ name, text: reportPage({ ...page, data: { ...data, files }, parts: [] }) }, ...parts.map(ofPart)],
    figures: sections.flatMap(({ figures }, index) =>
      figures.map(({ name, svg }) => ({ name: runs.length > 1 ? `${index + 1}-${name}` : name, svg })),
    ),
  }
}

/** The file of a part of a report, counted from 1: `report.parts/1.html`. */
export const partFile = (report: string, part: number): string =>
  `${report.replace(/\.html?$/i, '')}.parts/${part}.html`

function rowsOf({ manifest, graphs }: PageRun, run: number, runs: number): readonly PageRow[] {
  const labels = rowLabels(manifest.methods)
  return manifest.methods.map((row, index): PageRow => {
    const label = itemAt(labels, index)
    const drawn = graphs.filter((page) => page.row === rowName(row))
    return {
      name: runs > 1 ? `${label} · run ${run + 1}` : label,
      run: JSON.stringify([run, row.run]),
      ...(isReferenceRow(row) && { reference: true }),
      ...(row.context === 'none' && { closedBook: true }),
      ...(drawn.length > 0 && { graphs: drawn.map(({ corpus, address }) => ({ corpus, address })) }),
    }
  })
}

/** The first run with each of the others. */
async function comparedRuns([first, ...later]: readonly PageRun[]): Promise<readonly Compared[]> {
  const compared: Compared[] = []
  if (!first) return compared
  for (const run of later) {
    try {
      compared.push(await diffRuns(first, run))
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      compared.push({ before: first.name, after: run.name, refused: error.message })
    }
  }
  return compared
}

/** The rows of a comparison with what became of a question; `later`: the number of the run behind the first. */
function rowChanges(compared: Compared, later: number) {
  if ('refused' in compared) return []
  return compared.rows.map(({ name, questions }) => {
    const byId = new Map(questions.map(({ id, change }) => [id, change]))
    return {
      name: `${name}: ${compared.before} → ${compared.after}`,
      changeOf: ([first, ...others]: QuestionIds): Change | null =>
        first === undefined || others[later] === undefined ? null : (byId.get(first) ?? null),
    }
  })
}
