/** How many passages a run asks for at least, where rankings are nested, so that a trial can say what stood beyond the budget. */
export const rankingDepth = 50
