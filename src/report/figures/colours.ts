/** Colours of figures on white; the style of a page replaces each by one of its own, which has a dark form. */
export const colours = {
  ink: '#22262b',
  soft: '#5f666e',
  rule: '#dedbd4',
  mark: '#0072b2',
  front: '#c2410c',
  paper: '#ffffff',
} as const
