import { z } from 'zod'
import { fileOption } from '../../define.ts'
import { analysers } from '../../text/analyse.ts'

/** An option that is on or off. */
export const flag = (description: string, isUsual = false) => z.boolean().default(isUsual).describe(description)

/** An option that is a whole number of at least `least`. */
export const wholeNumber = (least: number, usual: number, description: string) =>
  z.int().min(least).default(usual).describe(description)

/** An option that is a number from 0 to 1. */
export const share = (usual: number, description: string) =>
  z.number().min(0).max(1).default(usual).describe(description)

/** An option that is the path of a file; by default null, which the description explains. */
export const optionalFile = (description: string) =>
  fileOption(z.string().min(1).nullable().default(null).describe(description))

/** An option that is a whole number of at least one; by default null, which the description explains. */
export const optionalLimit = (description: string) => z.int().min(1).nullable().default(null).describe(description)

/** An option that is one of several names, by default the first. */
export const choice = <const N extends readonly [string, ...string[]]>(names: N, description: string) =>
  z
    .enum(names)
    .default(names[0] as N[number])
    .describe(description)

/** The option `analyser` of lexical methods. */
export const analyserOption = z
  .enum(analysers)
  .default('english')
  .describe(
    'How texts become words. plain: in lower case; english: without possessive ’s and Lucene’s 33 stop words, stemmed as in Lucene. Set plain for other languages. Arabic is always stemmed; Thai, Lao, Khmer and Burmese are split by dictionaries.',
  )

/** The option `ungrounded` of methods that extract names or facts with a model. */
export const ungroundedOption = choice(
  ['auto', 'drop', 'count'],
  'Names that do not stand in the text shown to the model, and facts with them. drop: left out (our reading); count: kept, as in released code; auto: drop for English texts, count for others. What repeats the example of the prompt is always left out.',
)
