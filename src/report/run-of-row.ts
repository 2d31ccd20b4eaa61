import type { Manifest, MethodRecord } from '../records.ts'

/** The manifest of the run that a row is of: that of a run of a series, else the one given. */
export const runOfRow = (manifest: Manifest, row: Pick<MethodRecord, 'run'>): Manifest =>
  manifest.series?.runs.find(({ hash }) => hash === row.run) ?? manifest

/** The manifests of the runs that a table shows: those of a series, else the one given. */
export const runsIn = (manifest: Manifest): readonly Manifest[] => manifest.series?.runs ?? [manifest]
