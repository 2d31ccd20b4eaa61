import type { SourceUnit } from '../shared/text-units.ts'

/** The ids of nodes in the drawing, by the ids of tables; a text unit that is a chunk of the run has the chunk's id. */
export const nodeIds = {
  entity: (id: number): string => `entity ${id}`,
  community: (id: number): string => `community ${id}`,
  textUnit: (id: number, source: Pick<SourceUnit, 'from' | 'span'> | undefined): string =>
    (source?.span ? undefined : source?.from[0]) ?? `text unit ${id}`,
}
