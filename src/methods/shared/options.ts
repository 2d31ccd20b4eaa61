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
  'What becomes of names, and of facts whose subject or object is a name, that do not stand in the text that the model was shown: drop leaves them out (our reading); count keeps them, as released code does; auto: drop, but count where the texts are in another language than English, in which a name is inflected. Either way what repeats the example in the prompt is left out, and the share that stands in the texts is a figure of the index.',
)
