import type { Manifest, MethodRecord } from '../records.ts'
import { variantOf } from '../text/names.ts'

/** How many questions of a table a language model drafted, and which. */
export interface Synthetic {
  readonly questions: number
  /** All questions of the table. */
  readonly of: number
  /** The models that drafted them. */
  readonly by: readonly string[]
}

/** The drafted questions of a run, or of the run of a series that has most; absent where people wrote all. */
export function syntheticOf({ dataset: { synthetic, questions } }: Manifest): { readonly synthetic?: Synthetic } {
  return synthetic ? { synthetic: { questions: synthetic.questions, of: questions, by: synthetic.by } } : {}
}

/** Which questions a model drafted, in a line for all runs of a series that say the same; none without any. */
export function syntheticNotes(manifest: Manifest): readonly string[] {
  const runs = runsIn(manifest)
  const noteOf = (run: Manifest): string => {
    const { synthetic } = syntheticOf(run)
    return synthetic
      ? `${synthetic.questions} of ${synthetic.of} questions are synthetic: drafted by ${synthetic.by.join(', ')} from the documents`
      : ''
  }
  return [...new Set(runs.map(noteOf))]
    .filter((note) => note !== '')
    .map((note) => {
      const noteRuns = runs.filter((run) => noteOf(run) === note)
      const isPartial = noteRuns.length < runs.length
      return isPartial
        ? `${note} (${noteRuns.map(({ varied: variedValues = [] }) => variantOf(variedValues)).join('; ')})`
        : note
    })
}

/** The manifest of the run that a row is of: that of a run of a series, else the one given. */
export const runOfRow = <M extends Pick<Manifest, 'series'>>(
  manifest: M,
  row: Pick<MethodRecord, 'run'>,
): M | Manifest => manifest.series?.runs.find(({ hash }) => hash === row.run) ?? manifest

/** The manifests of the runs that a table shows: those of a series, else the one given. */
export const runsIn = (manifest: Manifest): readonly Manifest[] => manifest.series?.runs ?? [manifest]
