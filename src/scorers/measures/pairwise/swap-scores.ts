/** What a judge said of two answers: the first shown, the second shown, or neither is better. */
export type Winner = 1 | 2 | 0

/** Scores of A and B in one trial; B is shown first in every odd one. */
export interface SwapScore {
  readonly first: 'A' | 'B'
  readonly a: number
  readonly b: number
}

/**
 * The trials of one question, A shown first in the first: 1 for the winner, 0 for the other, half each for a tie
 * (microsoft/benchmark-qed@464dc2bd, autoe/pairwise). With an even number of trials a judge who always takes the first
 * place gives half to both.
 */
export const swapScores = (winners: readonly Winner[]): SwapScore[] =>
  winners.map((winner, trial) => {
    const shown = { 0: 0.5, 1: 1, 2: 0 }[winner]
    return trial % 2 === 0 ? { first: 'A', a: shown, b: 1 - shown } : { first: 'B', a: 1 - shown, b: shown }
  })
