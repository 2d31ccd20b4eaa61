import { plural } from '../../src/report/render/amounts.ts'
import type { Failed, Tried } from './runner.ts'

/** What failures of one cause have in common: their words without numbers, names and places. */
export const causeOf = ({ sort, fault }: Pick<Failed, 'sort' | 'fault'>): string =>
  `${sort} ${(fault.split('\n')[0] ?? '')
    .replace(/"[^"]*"|'[^']*'/g, '"…"')
    .replace(/\/\S+/g, '/…')
    .replace(/[\d.]+/g, '#')
    .slice(0, 160)}`

/** The lines of a failure, and whether it is the first of its cause. `causes` are those told before. */
export function failureLines(kind: string, seed: number, failed: Failed, causes: Set<string>) {
  const cause = causeOf(failed)
  const first = !causes.has(cause)
  causes.add(cause)
  const again = failed.number === undefined ? 'from the corpus' : `seed ${seed}, mutant ${failed.number}`
  const fault = failed.fault.split('\n').slice(0, 6).join('\n    ')
  return { first, lines: `${failed.sort} of ${kind} (${again}; ${failed.mutant.of})\n    ${fault}` }
}

/** One line on a kind, of whose inputs `known` were of the corpus: what was tried, what became of it, how long it took. */
export function summaryLine(kind: string, seed: number, known: number, tried: Tried): string {
  const { failures: all } = tried
  const count = (sort: Failed['sort']): number => all.filter((failed) => failed.sort === sort).length
  const outcomes = [...tried.outcomes].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, times]) => `${name} ${times}`)
  const causes = new Set(all.map(causeOf)).size
  const ofCorpus = Math.min(known, tried.mutants) // the time may have ended before all of them
  return [
    `${kind}: ${ofCorpus} of the corpus and ${plural(tried.mutants - ofCorpus, 'mutant')} of seed ${seed}`,
    `${count('fault')} faults, ${count('hang')} hangs, ${count('crash')} crashes${causes > 0 ? ` (${plural(causes, 'cause')})` : ''}`,
    outcomes.join(', '),
    `${tried.seconds.toFixed(0)} s, the slowest ${tried.slowestSeconds.toFixed(1)} s`,
  ].join('; ')
}
