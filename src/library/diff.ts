import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../errors.ts'
import { diffRuns, type RowDiff, type RunDiff } from '../report/diff/diff-runs.ts'
import { diffNotes, gateOf, type Gate } from '../report/diff/messages.ts'
import { questionDetails, type QuestionDetail } from '../report/diff/question-texts.ts'
import { openRun, type ResultsPlace } from '../run/open-run.ts'

export interface DiffSettings extends ResultsPlace {
  /** By its name or title, or `scorer.metric` (default: the first of the table that both runs have). */
  readonly metric?: string
  /** A loss that counts as none, as a fraction (default: `compare.margin`; else the gate excludes none). */
  readonly margin?: number
  /** Whether the gate passes over questions of the first run that are missing in the second. */
  readonly acceptMissing?: boolean
}

/** A question of a row; with its text, reference and both outcomes where it has changed. */
export type DiffQuestion = RowDiff['questions'][number] & Partial<QuestionDetail>

/** Two runs, or a row of each, question by question, with a test of every row. */
export interface Diff extends Omit<RunDiff, 'rows'> {
  readonly rows: readonly (Omit<RowDiff, 'questions'> & { readonly questions: readonly DiffQuestion[] })[]
  /** Whether the change may pass: no row is worse by more than the margin, and no question is missing. */
  readonly gate: Gate
  readonly notes: readonly string[]
}

export async function diff(before: string, after: string, settings: DiffSettings = {}): Promise<Diff> {
  const { diff, notes } = await openDiff(before, after, settings)
  const gate = gateOf(diff, settings.acceptMissing)
  return { ...diff, gate, notes: [...notes, ...diffNotes(diff)] }
}

/** A diff and the runs that it compares. */
export async function openDiff(before: string, after: string, { metric, margin, ...place }: DiffSettings) {
  if (margin !== undefined && !(margin > 0 && margin < 1))
    throw new UserError(`margin: must be more than 0 and less than 1, not ${margin}`)
  const previous = await openSide(before, place)
  const current = await openSide(after, place)
  const sides = [previous.side, current.side] as const
  const diff = await diffRuns(...sides, metric, margin)
  const details = await questionDetails(diff, sides, ({ questions }) =>
    questions.filter(({ change }) => change !== 'unchanged'),
  )
  const rows = diff.rows.map((row, index) => {
    const detailOf = new Map(details[index]?.map((detail) => [detail.id, detail]))
    const questions = row.questions.map((question): DiffQuestion => detailOf.get(question.id) ?? question)
    return { ...row, questions }
  })
  const notes = [...previous.notes, ...current.notes]
  return { diff: { ...diff, rows }, sides, notes }
}

/** A results folder, or one of its rows: FOLDER#ROW. */
async function openSide(name: string, place: ResultsPlace) {
  const marks = [...name.matchAll(/#/g)].map(({ index }) => index)
  const resultFiles = ['manifest.json', 'series.json']
  const hasResults = (folder: string) => resultFiles.some((file) => existsSync(join(folder, file)))
  const resultsFolder = place.results ?? 'results'
  const isFolder = (folder: string) => hasResults(folder) || hasResults(join(resultsFolder, folder))
  const folderMark = () => marks.find((index) => isFolder(name.slice(0, index)))
  const mark = isFolder(name) ? undefined : (folderMark() ?? marks[0])
  const folder = name.slice(0, mark)
  const { results, notes } = await openRun(folder, place)
  const row = mark === undefined ? undefined : name.slice(mark + 1)
  const side = { ...results, name: folder, ...(row !== undefined && { row }) }
  return { side, notes }
}
