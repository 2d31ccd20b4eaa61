import { z } from 'zod'

/** What a model wrote as a number, also in a string; anything else as it is. A blank is no number. */
export const numberIn = (value: unknown): unknown =>
  typeof value === 'string' && value.trim() !== '' ? Number(value) : value

/** A number, also in a string; nothing, and what is no number, is refused. */
export const numberShape = z.preprocess(numberIn, z.number())
