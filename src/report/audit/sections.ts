import type { Comparison } from '../paper/comparison.ts'
import type { PaperTable } from '../paper/paper-table.ts'
import type { Audit } from './audit.ts'
import { claimGrid, noiseGrid } from './grids.ts'
import { pLine, shareLine, sumLine } from './lines.ts'

/** A part of an audit as text: lines and grids, in this order. */
export interface AuditSection {
  readonly title: string
  readonly parts: readonly (string | Comparison)[]
}

/** An audit as text. A section that has nothing to check says so. */
export function auditSections(paper: PaperTable, found: Audit): readonly AuditSection[] {
  const { shares, sums, noise, claims, pValues } = found
  const section = (title: string, parts: AuditSection['parts'], nothing: string): AuditSection => ({
    title,
    parts: parts.length > 0 ? parts : [nothing],
  })
  const noisy = noise.map((one) => noiseGrid(paper, one))
  const claimed = [...claims.map((one) => claimGrid(paper, one)), ...pValues.map(pLine)]
  return [
    section('n', shares.map(shareLine), 'the file names no column whose values are shares of n'),
    section('Sums', sums.map(sumLine), 'the file states no sum, mean or percentage'),
    section('Run noise', noisy.length > 0 ? [lowerBound, ...noisy] : [], noVariance),
    section('Claims', claimed, 'the file states no claim'),
  ]
}

const noVariance = 'no column has two rows with a variance over several runs: what runs alone explain is not known'

const lowerBound =
  'z = difference / √(σ²_A/R + σ²_B/R), from runs alone: other questions would add to it, so the uncertainty is larger'
