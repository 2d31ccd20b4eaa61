/** From this score on, of 0 to 1, an answer counts as right; below it as wrong. */
export const correctThreshold = 0.5
