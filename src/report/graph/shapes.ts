/** Node shapes by kind in a 16-unit square: circle, diamond, square, triangle. */
export const shapes = [
  'M14 8a6 6 0 1 1-12 0 6 6 0 0 1 12 0z',
  'M8 1l7 7-7 7-7-7z',
  'M2.5 2.5h11v11h-11z',
  'M8 1.5l7 12H1z',
] as const

/** Number of group colours in the style sheet. */
export const themes = 24
