/**
 * Indices into `reference` of one longest common subsequence, ascending. Of several the one that rouge_scorer.py reads out
 * (_backtrack_norec): from the end, to the left only when that is longer than upwards.
 */
export function commonSubsequence(reference: readonly string[], prediction: readonly string[]): number[] {
  const width = prediction.length + 1
  const lengths = lengthTable(reference, prediction)
  const at = (i: number, j: number): number => lengths[i * width + j] ?? 0
  const indices: number[] = []
  let i = reference.length
  let j = prediction.length
  while (i > 0 && j > 0) {
    if (reference[i - 1] === prediction[j - 1]) {
      indices.push(--i)
      j--
    } else if (at(i, j - 1) > at(i - 1, j)) j--
    else i--
  }
  return indices.reverse()
}

/** Row by row, one more than there are tokens: the longest common subsequence of the first i and the first j. */
function lengthTable(reference: readonly string[], prediction: readonly string[]): Uint32Array {
  const width = prediction.length + 1
  const lengths = new Uint32Array((reference.length + 1) * width)
  reference.forEach((token, row) => {
    const above = row * width
    const here = above + width
    prediction.forEach((other, column) => {
      lengths[here + column + 1] =
        token === other
          ? (lengths[above + column] ?? 0) + 1
          : Math.max(lengths[above + column + 1] ?? 0, lengths[here + column] ?? 0)
    })
  })
  return lengths
}
