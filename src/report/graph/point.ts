/** A place of the layout, or of a screen in CSS pixels. */
export interface Point {
  readonly x: number
  readonly y: number
}
