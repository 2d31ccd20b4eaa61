/** A part of a text: UTF-16 offsets, the end excluded. */
export interface Span {
  readonly start: number
  readonly end: number
}
