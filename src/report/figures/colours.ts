/** Colours of figures on white. A page's style replaces each with a variable, for dark mode. */
export const colours = {
  ink: '#22262b',
  soft: '#5f666e',
  rule: '#dedbd4',
  mark: '#0072b2',
  front: '#c2410c',
  paper: '#ffffff',
} as const
