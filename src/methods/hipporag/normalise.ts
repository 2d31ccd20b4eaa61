import type { Triple } from '../../tasks/entities/triple.ts'

/** Which characters of a phrase count. */
export type Normal = 'ascii' | 'unicode'

const strange = { ascii: /[^A-Za-z0-9 ]/gu, unicode: /[^\p{L}\p{M}\p{N} ]/gu }

/** A phrase in lower case, every other character a space, stripped at the ends; inner spaces stay (HippoRAG's text_processing). */
export const normalPhrase = (text: string, normal: Normal): string =>
  text.toLowerCase().replace(strange[normal], ' ').trim()

/** A triple of normal phrases. */
export const normalTriple = ([subject, predicate, object]: Triple, normal: Normal): Triple => [
  normalPhrase(subject, normal),
  normalPhrase(predicate, normal),
  normalPhrase(object, normal),
]

/** A fact as it is embedded and compared: the form in which Python writes a tuple, which the reference embeds. */
export const factText = (triple: Triple): string => `('${triple.join("', '")}')`
