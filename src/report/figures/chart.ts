import type { TopLevelSpec } from 'vega-lite'

/** A Vega-Lite chart. On a page, its data values have a `description`. */
export interface Chart {
  /** File name without extension (letters, digits, hyphens). */
  readonly name: string
  readonly title: string
  /** Below the title of a file. */
  readonly subtitle?: readonly string[]
  /** Below the chart on a page. */
  readonly caption?: string
  readonly spec: TopLevelSpec
}

/** Colours of figures on white. A page's style replaces each with a variable, for dark mode. */
export const colours = {
  ink: '#22262b',
  soft: '#5f666e',
  rule: '#dedbd4',
  mark: '#0072b2',
  front: '#c2410c',
  paper: '#ffffff',
} as const

/** Replaces control characters, which SVG forbids. Vega escapes markup. */
export const printable = (text: string): string => text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')
