import type { Manifest, MethodRecord } from '../records.ts'
import { listing } from '../text/amounts.ts'
import { variantOf } from '../text/names.ts'

/** Questions drafted by a language model. */
export interface Synthetic {
  readonly questions: number
  readonly of: number
  /** Names of the models. */
  readonly by: readonly string[]
}

/** Of a run, or of the run of a series with most synthetic questions; absent for none. */
export function syntheticOf({ dataset: { synthetic, questions } }: Manifest): { readonly synthetic?: Synthetic } {
  return synthetic ? { synthetic: { questions: synthetic.questions, of: questions, by: synthetic.by } } : {}
}

/** One line per distinct statement of the runs of a series. */
export const syntheticNotes = (manifest: Manifest): readonly string[] =>
  textsOfRuns(manifest, (run) => {
    const { synthetic } = syntheticOf(run)
    if (!synthetic) return []
    const { questions, of, by } = synthetic
    return [`${questions} of ${of} questions are synthetic: drafted by ${by.join(', ')} from the documents`]
  }).map(([note, runs]) => `${note}${runs}`)

/** The distinct texts of the runs of a series, each with the names of its runs in brackets; empty if all have it. */
export function textsOfRuns(
  manifest: Manifest,
  textsOf: (run: Manifest) => readonly string[],
): readonly (readonly [text: string, runs: string])[] {
  const runs = runsIn(manifest)
  return [...new Set(runs.flatMap(textsOf))].map((text) => {
    const runsWithText = runs.filter((run) => textsOf(run).includes(text))
    const names = runsWithText.map(({ varied = [] }) => variantOf(varied))
    return [text, names.length === runs.length ? '' : ` (${listing(names, '; ')})`]
  })
}

/** Whether an offline stand-in, not a language model, wrote the answers of all runs. */
export const hasOfflineAnswers = (manifest: Manifest): boolean =>
  runsIn(manifest).every(
    ({ answers, offline, models }) =>
      answers !== 'none' && offline.includes((models.answer ?? models.complete).provider),
  )

/** The run of a row in a series, else the manifest itself. */
export const runOfRow = <M extends Pick<Manifest, 'series'>>(
  manifest: M,
  row: Pick<MethodRecord, 'run'>,
): M | Manifest => manifest.series?.runs.find(({ hash }) => hash === row.run) ?? manifest

/** The runs of a series, else the manifest itself. */
export const runsIn = (manifest: Manifest): readonly Manifest[] => manifest.series?.runs ?? [manifest]
