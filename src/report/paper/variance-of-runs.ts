import { variance } from '../../math/statistics/descriptive.ts'
import type { PaperCell } from './paper-table.ts'

/** The variance of the runs of a cell: as printed, else of the values of single runs; undefined where the paper prints neither. */
export const varianceOfRuns = ({ variance: printed, perRun }: PaperCell): number | undefined =>
  printed ?? (perRun && variance(perRun))
