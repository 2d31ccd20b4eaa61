import { plural, present } from '../render/amounts.ts'
import type { Comparison } from '../paper/comparison.ts'
import type { PaperTable } from '../paper/paper-table.ts'
import { textGrid } from '../render/grid.ts'
import { shownValue, type AuditedP, type AuditedNoise, type Audit, type AuditedSum } from './audit.ts'
import type { AuditedClaim } from './audit-claims.ts'
import type { AuditedShare } from './cells.ts'

interface AuditSection {
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
  const judged = claims.flatMap((one) => [one, ...one.pairs]).map(({ verdict }) => verdict)
  const claimed = present<string | Comparison>(
    judged.includes('within binomial noise') && binomialNoise,
    claims.map((one) => claimGrid(paper, one)),
    pValues.map(pLine),
  )
  return [
    section('n', shares.map(shareLine), 'the file names no column whose values are shares of n'),
    section('Sums', sums.map(sumLine), 'the file states no sum or mean'),
    section('Run noise', noisy.length > 0 ? [lowerBound, ...noisy] : [], noVariance),
    section('Claims', claimed, 'the file states no claim'),
    section('Notes', paper.notes, 'the file has no note'),
  ]
}

const noVariance = 'no column has two rows with a variance over several runs: what runs alone explain is not known'

const lowerBound =
  'z = difference / √(σ²_A/R + σ²_B/R), where σ² is that of single runs; if the σ² of the paper is that of their mean, z = difference / √(σ²_A + σ²_B). From runs alone: other questions would add to it, so the uncertainty is larger'

const binomialNoise =
  'binomial noise: what other questions would change by chance, from p (1 - p) / n of both rows (95 %), as if each row had questions of its own; how far the answers to the same questions go together is not printed'

/** The best two rows of a column, and every other pair whose difference runs alone explain. */
function noiseGrid(paper: PaperTable, { column, runs, without, pairs }: AuditedNoise): Comparison {
  const lacking = without.length > 0 ? ` (no variance: ${without.join(', ')})` : ''
  const isPrinted = pairs.some(({ asMeans }) => asMeans)
  const beyond = pairs.filter(({ exceeds }) => exceeds).length
  const beyondByBoth = pairs.filter(exceedsByBoth).length
  const rows = pairs
    .filter((pair, index) => index === 0 || !exceedsByBoth(pair))
    .map(({ better, worse, difference, z, bound, exceeds, asMeans }) =>
      present(
        `${better} against ${worse}`,
        shownDifference(paper, column, difference),
        z.toFixed(2),
        (isPrinted && asMeans?.z.toFixed(2)) ?? '–',
        bound.toFixed(2),
        !exceeds ? 'within run noise' : asMeans?.exceeds === false ? 'within run noise by one' : 'more than run noise',
      ),
    )
  const byBoth = isPrinted ? `, ${beyondByBoth} by both readings of σ²` : ''
  return {
    title: `${column}, ${runs} runs: ${beyond} of ${pairs.length} pairs differ by more than run noise${byBoth}${lacking}`,
    grid: textGrid(
      present('pair', 'difference', 'z', isPrinted && 'z, σ² of the mean', 'bound of |z|', 'verdict'),
      rows,
    ),
  }
}

const exceedsByBoth = ({ exceeds, asMeans }: AuditedNoise['pairs'][number]): boolean =>
  exceeds && asMeans?.exceeds !== false

/** The cells that a claim is about: all of a few pairs, else those that do not bear it out. */
function claimGrid({ columns }: PaperTable, { claim, place, verdict, pairs, reason }: AuditedClaim): Comparison {
  const known = pairs.filter(({ values }) => values.some((value) => value !== null))
  const shownPairs = known.length <= mostPairs ? known : known.filter((pair) => pair.verdict !== 'holds')
  const names = [...new Set(known.map((pair) => pair.column))]
  const rows = shownPairs.map(({ said, column, values, noise, verdict: found }) =>
    present(
      said,
      names.length > 1 && column,
      values.map((value) => (value === null ? '–' : shownNumber(value, columns[column]?.decimals))),
      noise ? [noise, noise.asMeans].flatMap((one) => one?.z.toFixed(2) ?? []).join(' or ') : '–',
      found,
    ),
  )
  const about = present(
    place,
    names.length === 1 && names,
    known.length > mostPairs && `${known.length - rows.length} of ${plural(known.length, 'pair')} hold`,
    reason !== undefined && reason,
  )
  return {
    title: `${verdict}: ${claim} (${about.join('; ')})`,
    grid: textGrid(present('pair', names.length > 1 && 'column', 'first', 'second', 'z', 'verdict'), rows),
  }
}

const mostPairs = 6

/** A number of a cell, or a sum or difference of such numbers without the digits that floating point adds. */
const shownNumber = (value: number, decimals: number | undefined): string =>
  shownValue(Number(value.toPrecision(12)), decimals)

const shownDifference = ({ columns }: PaperTable, column: string, difference: number): string =>
  shownNumber(difference, columns[column]?.decimals)

function shareLine({ of, from, to, cells, fits, misfits }: AuditedShare): string {
  const [first] = fits
  const range = `from ${from} to ${to}`
  if (cells === 0) return `${of}: the file has no number in a column that is a share of them`
  if (first === undefined) {
    const alone = misfits.map(({ row, column, value }) => `${row} in ${column} (${value})`).join(', ')
    return `${of}: no number ${range} allows all ${cells} printed shares${alone && `; none allows ${alone}`}`
  }
  if (fits.length === 1) return `${of}: ${first}, the only number ${range} that allows all ${cells} printed shares`
  if (fits.length <= mostListed)
    return `${of}: ${fits.join(', ')} are the numbers ${range} that allow all ${cells} printed shares`
  return `${of}: not known; ${fits.length} of the ${to - from + 1} numbers ${range} allow all ${cells} printed shares, ${first} is the least`
}

const mostListed = 12

function sumLine({ says, place, where, stated, low, high, verdict, reason }: AuditedSum): string {
  const about = `${verdict}: ${says} (${place === undefined ? '' : `${place}; `}${where})`
  if (low === null || high === null || stated === null) return `${about}: ${reason ?? ''}`
  const allowed = low === high ? `the cells make ${short(low)}` : `the cells allow ${short(low)} to ${short(high)}`
  return `${about}: ${allowed}, stated ${stated}`
}

const pLine = ({ says, place, column, row, than, u, p, stated, verdict }: AuditedP): string =>
  `${verdict}: ${says} (${place}; ${column}: ${row} above ${than}): ${stated === null ? 'no p is stated' : `stated p = ${stated}`}, its runs give p = ${p.toPrecision(3)} (Mann–Whitney, one-sided, U = ${u})`

const short = (value: number): string => String(Number(value.toFixed(4)))
