import { z } from 'zod'

/** An option that is on or off. */
export const flag = (description: string, isUsual = false) => z.boolean().default(isUsual).describe(description)

/** An option that is a whole number of at least `least`. */
export const wholeNumber = (least: number, usual: number, description: string) =>
  z.int().min(least).default(usual).describe(description)

/** An option that is a whole number of at least one; by default null, which the description explains. */
export const optionalLimit = (description: string) => z.int().min(1).nullable().default(null).describe(description)

/** An option that is one of several names, by default the first. */
export const choice = <const N extends readonly [string, ...string[]]>(names: N, description: string) =>
  z
    .enum(names)
    .default(names[0] as N[number])
    .describe(description)

/** The option `ungrounded` of methods that extract names or facts with a model. */
export const ungroundedOption = choice(
  ['auto', 'drop', 'count'],
  'What becomes of names, and of facts with them, that do not stand in the text shown to the model. drop: left out (our reading); count: kept, as in released code; auto: drop for English texts, count for others, which inflect names. What repeats the example of the prompt is always left out. The index reports the share of names that stand in the texts.',
)
