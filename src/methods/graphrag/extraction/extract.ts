import { ModelError } from '../../../errors.ts'
import { extractGraph } from '../../../tasks/graphrag/extract-graph.ts'
import type { GraphRecords } from '../../../tasks/graphrag/graph-records.ts'
import type { Models } from '../../../types.ts'
import { refuseAllLost } from '../../shared/run-each.ts'
import { extractUnit, type ExtractOptions } from './extract-unit.ts'

/** What was read in each text unit, in order; undefined where nothing was. `unread`: gleanings of the others that could not be read. */
export interface Extracted {
  readonly records: readonly (GraphRecords | undefined)[]
  readonly calls: number
  readonly unread: number
}

/** Reads the graph of every text (section 2.2). Throws ModelError where every text was lost. */
export async function extract(texts: readonly string[], models: Models, options: ExtractOptions): Promise<Extracted> {
  const units = await Promise.all(texts.map((text) => extractUnit(text, models, options)))
  const outcomes = units.map(({ records }) => records)
  refuseAllLost(extractGraph, outcomes)
  return {
    records: outcomes.map((outcome) => (outcome instanceof ModelError ? undefined : outcome)),
    calls: units.reduce((sum, { calls }) => sum + calls, 0),
    unread: units.reduce((sum, { records, unread }) => sum + (records instanceof ModelError ? 0 : unread), 0),
  }
}
