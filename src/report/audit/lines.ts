import type { AuditedP } from './p-values.ts'
import type { AuditedShare } from './shares.ts'
import type { AuditedSum } from './sums.ts'

/** Which n the printed shares allow. */
export function shareLine({ of, from, to, cells, fits, misfits }: AuditedShare): string {
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

/** A stated sum, mean or percentage beside what the cells allow. */
export function sumLine({ says, where, stated, low, high, verdict, reason }: AuditedSum): string {
  const about = `${verdict}: ${says} (${where})`
  if (low === null || high === null || stated === null) return `${about}: ${reason ?? ''}`
  const allowed = low === high ? `the cells make ${short(low)}` : `the cells allow ${short(low)} to ${short(high)}`
  return `${about}: ${allowed}, stated ${stated}`
}

/** A stated p-value beside that of the runs. */
export const pLine = ({ says, column, row, than, u, p, stated, verdict }: AuditedP): string =>
  `${verdict}: ${says} (${column}: ${row} above ${than}): ${stated === null ? 'no p is stated' : `stated p = ${stated}`}, its runs give p = ${p.toPrecision(3)} (Mann–Whitney, one-sided, U = ${u})`

const short = (value: number): string => String(Number(value.toFixed(4)))
