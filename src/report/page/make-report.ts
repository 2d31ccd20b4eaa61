import { itemAt } from '../../basics/collections.ts'
import { UserError } from '../../errors.ts'
import { rowLabels, rowName } from '../../text/names.ts'
import { isReferenceRow } from '../compare/rows-to-compare.ts'
import { diffRuns } from '../diff/diff-runs.ts'
import { questionScores, type PageRun } from './listed-questions.ts'
import type { ListedQuestion, PageData, PagePart, PageRow, RowChanges, RowGraph } from './page-data.ts'
import { type Compared, licenceNotices, reportPage } from './page.ts'
import { chunkTexts, partsOf, type PartSettings } from './part-of.ts'
import { runSections } from './run-section.ts'

/** A file of a report: its name beside the page, and its text. */
export interface ReportFile {
  readonly name: string
  readonly text: string
}

/** A figure of a report as a file of its own, on white: the name without its ending, and SVG. */
export interface ReportFigure {
  readonly name: string
  readonly svg: string
}

/** The figures of every run of a report; those of several runs begin with the number of the run. */
export async function reportFigures(runs: readonly PageRun[]): Promise<readonly ReportFigure[]> {
  const found: ReportFigure[] = []
  for (const [index, run] of runs.entries())
    for (const { name, svg } of (await runSections(run, '')).figures)
      found.push({
        name: runs.length > 1 ? `${index + 1}-${name}` : name,
        svg: svg.replace(/^<svg [^>]*>/, (root) => `${root}<rect width="100%" height="100%" fill="#ffffff"/>`),
      })
  return found
}

/** `most`: letters of parts that one page may hold; more are paged. `perPart`: questions of a part. */
export interface ReportSettings extends PartSettings {
  readonly name: string
  readonly most?: number
  readonly perPart?: number
}

/**
 * One page, or above `most` letters a page (the first file) and a folder of parts. Throws UserError as `diffRuns` does.
 */
export async function makeReport(
  runs: readonly PageRun[],
  { name, most = 32e6, perPart = 50, ...settings }: ReportSettings,
): Promise<readonly ReportFile[]> {
  const { questions: ids, metrics } = await questionScores(runs)
  const { parts, questions } = await allParts(runs, ids, perPart, settings)
  const compared = await comparedRuns(runs)
  const rows = runs.flatMap((run, index) => rowsOf(run, index, runs.length))
  const data: PageData = {
    rows,
    metrics,
    questions,
    changes: compared.flatMap((one, index) => rowChanges(one, ids, index + 1)),
    perPart,
    firstPart: 0,
    ...(!settings.texts && { withoutTexts: true as const }),
  }
  const title = [...new Set(runs.map((run) => run.manifest.name))].join(', ')
  const notices = [
    ...(settings.texts ? licenceNotices(runs) : ['Texts of the dataset and of models are left out of this page.']),
  ]
  const page = { title, runs, compared, notices }
  const size = parts.reduce((sum, part) => sum + sizeOf(part), 0)
  if (size <= most) return [{ name, text: await reportPage({ ...page, data, parts }) }]
  const folder = `${name.replace(/\.html?$/i, '')}.parts`
  const files = parts.map((_, index) => `${folder}/${index + 1}.html`)
  const ofPart = (index: number): PageData => {
    const from = index * perPart
    const own = <T>(list: readonly T[]): readonly T[] => list.slice(from, from + perPart)
    return {
      ...data,
      questions: own(questions),
      firstPart: index,
      home: `../${name}`,
      rows: rows.map((row) => ({ ...row, ...(row.graphs && { graphs: row.graphs.map(seenFromParts) }) })),
      metrics: metrics.map((metric) => ({ ...metric, scores: own(metric.scores) })),
      changes: data.changes.map((one) => ({ ...one, changes: own(one.changes) })),
    }
  }
  const made: ReportFile[] = [{ name, text: await reportPage({ ...page, data: { ...data, files }, parts: [] }) }]
  for (const [index, part] of parts.entries())
    made.push({
      name: itemAt(files, index),
      text: await reportPage({
        ...page,
        runs: [],
        compared: [],
        title: `${title}, part ${index + 1} of ${parts.length}`,
        data: ofPart(index),
        parts: [part],
      }),
    })
  return made
}

function rowsOf({ manifest, graphs }: PageRun, run: number, of: number): readonly PageRow[] {
  const labels = rowLabels(manifest.methods)
  return manifest.methods.map((row, index): PageRow => {
    const drawn = graphs.filter((one) => one.row === rowName(row))
    const label = itemAt(labels, index)
    return {
      name: of > 1 ? `${label} · run ${run + 1}` : label,
      run,
      ...(isReferenceRow(row) && { reference: true }),
      ...(row.context === 'none' && { closedBook: true }),
      ...(drawn.length > 0 && { graphs: drawn.map(({ corpus, address }) => ({ corpus, address })) }),
    }
  })
}

/** The parts stand in a folder beside the page. */
const seenFromParts = ({ corpus, address }: RowGraph): RowGraph => ({ corpus, address: `../${address}` })

const sizeOf = (part: PagePart): number => JSON.stringify(part).length

/** The parts, and the questions by name, read some thousand at a time. */
async function allParts(
  runs: readonly PageRun[],
  ids: readonly (readonly (string | undefined)[])[],
  perPart: number,
  settings: PartSettings,
): Promise<{ readonly parts: readonly PagePart[]; readonly questions: readonly ListedQuestion[] }> {
  const parts: PagePart[] = []
  const texts = new Map<string, string>()
  const known = runs.map(({ manifest }) => chunkTexts(manifest))
  for (const [index, run] of settings.texts ? runs.entries() : [])
    for await (const line of run.trials()) {
      if (line.line !== 'trial') continue
      texts.set(JSON.stringify([index, line.question.id]), line.question.text)
      known[index]?.read(line)
    }
  const told = runs.map((run, index) => ({ ...run, textOf: known[index]?.textOf ?? (() => undefined) }))
  const batch = perPart * 40
  for (let from = 0; from < ids.length; from += batch)
    parts.push(...(await partsOf(told, ids.slice(from, from + batch), perPart, settings)))
  const taken = new Set<string>()
  const questions = ids.map((one): ListedQuestion => {
    const run = one.findIndex((id) => id !== undefined)
    const own = itemAt(one, run)
    // one id with another text in another run
    const id = taken.has(own) ? `${own} · run ${run + 1}` : own
    taken.add(id)
    return { id, text: texts.get(JSON.stringify([run, own])) ?? '' }
  })
  return { parts, questions }
}

async function comparedRuns([first, ...others]: readonly PageRun[]): Promise<readonly Compared[]> {
  const compared: Compared[] = []
  for (const other of others) {
    if (!first) continue
    try {
      compared.push(await diffRuns(first, other))
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      compared.push({ before: first.name, after: other.name, refused: error.message })
    }
  }
  return compared
}

function rowChanges(
  compared: Compared,
  ids: readonly (readonly (string | undefined)[])[],
  run: number,
): readonly RowChanges[] {
  if ('refused' in compared) return []
  return compared.rows.map(({ name, questions }) => {
    const byId = new Map(questions.map(({ id, change }) => [id, change]))
    const isBoth = (one: readonly (string | undefined)[]): boolean => one[0] !== undefined && one[run] !== undefined
    return {
      name: `${name}: ${compared.before} → ${compared.after}`,
      changes: ids.map((one) => (isBoth(one) ? (byId.get(one[0] ?? '') ?? null) : null)),
    }
  })
}
