/** Shapes of nodes by their kind, about 12 units wide in a square of 16: circle, diamond, square, triangle. */
export const shapes = [
  'M14 8a6 6 0 1 1-12 0 6 6 0 0 1 12 0z',
  'M8 1l7 7-7 7-7-7z',
  'M2.5 2.5h11v11h-11z',
  'M8 1.5l7 12H1z',
] as const

/** How many colours of groups the style of a page has. */
export const themes = 24
