import type { Estimate } from '../../types.ts'

/** A number that is known. */
export const exactly = (value: number): Estimate => ({ low: value, expected: value, high: value })

/** A number between half and twice what is expected. */
export const around = (expected: number): Estimate => ({ low: expected / 2, expected, high: expected * 2 })

/** The sum of estimates; all may be low, or high, together. */
export const sumOf = (...estimates: readonly Estimate[]): Estimate => ({
  low: estimates.reduce((sum, { low }) => sum + low, 0),
  expected: estimates.reduce((sum, { expected }) => sum + expected, 0),
  high: estimates.reduce((sum, { high }) => sum + high, 0),
})

/** The product of an estimate and a factor, which may be one too. */
export function times(estimate: Estimate, factor: number | Estimate): Estimate {
  const by = typeof factor === 'number' ? exactly(factor) : factor
  return { low: estimate.low * by.low, expected: estimate.expected * by.expected, high: estimate.high * by.high }
}
