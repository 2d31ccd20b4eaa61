import { remarksOn } from './index-stats.ts'
import type { GemOptions } from './options.ts'
import type { Spectrum } from './spectrum.ts'

/** What is to be said below the eigenvalues of a memory: whose they are, what the themes have to do with them, and remarks 2 and 3. */
export function spectrumNotes(spectrum: Spectrum, name: string, options: GemOptions): readonly string[] {
  const { Lambda, themeEstimate, largestGapIndex } = remarksOn(spectrum)
  const doubt = spectrum.pairs.converged ? '' : ', which did not converge'
  const gap =
    typeof largestGapIndex === 'number'
      ? `; from the highest down, the largest gap follows number ${largestGapIndex}`
      : ''
  return [
    `Leading eigenvalues of ${name}, by magnitude${doubt}. ${originOf(spectrum.graph.n, options)}`,
    `Λ, the sum of all squared eigenvalues (Remark 3): ${Number(Lambda.toPrecision(3))}.`,
    `${estimateOf(themeEstimate)}${gap}.`,
    ...(spectrum.graph.form === 'unclamped'
      ? ['Negative weights count in these eigenvalues as they are, because clamping them takes too much memory.']
      : []),
  ]
}

/** Where the themes of a graph of so many chunks come from. */
function originOf(n: number, { clustering, components, select }: GemOptions): string {
  const made = Math.min(components, n - 1)
  if (made <= 0) return 'There are no themes.'
  if (clustering === 'kmeans') return 'The themes are clusters of k-means, not eigenvectors.'
  if (n === 2) return 'Two chunks make one theme.'
  const which = made === 1 ? 'the first eigenvector' : `the first ${made} eigenvectors, in their order`
  return `The themes come from ${select === 'both-ends' ? 'both ends of ' : ''}${which}.`
}

function estimateOf(themes: number | null | undefined): string {
  if (themes === undefined) return 'For the estimate of Remark 2 more eigenvalues would have to be known'
  return themes === null ? 'Remark 2 gives no estimate of the number of themes' : `Remark 2 estimates ${themes} themes`
}
