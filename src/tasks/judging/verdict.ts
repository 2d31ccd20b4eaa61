import { z } from 'zod'
import { numberIn, textShape } from '../task.ts'

/** A judge's yes or no, asked for as 1 or 0; models also write true or "1". Nothing, and what is no number, is no verdict. */
export const verdictShape = z.preprocess(
  (value) => (typeof value === 'boolean' ? Number(value) : numberIn(value)),
  z.number(),
)

/** Why a judge decides so; a verdict counts without it. */
export const reasonShape = textShape
