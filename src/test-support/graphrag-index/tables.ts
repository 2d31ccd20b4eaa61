import { memoise } from '../../basics/memoise.ts'
import { readIndex } from '../../methods/graphrag/published.ts'
import { sha256 } from '../../text/hash.ts'
import { tokenizer, type TokenizerName } from '../../text/tokens.ts'

const folder = new URL('../../../src/test-support/graphrag-index/', import.meta.url).pathname

/** The tables of a published index of the vectors, from the copy that tests use. */
export const tablesOf = memoise((index: string) => readIndex(`${folder}${index}`))

/** The path of a file of a published index. */
export const fileOf = (index: string, name: string): string => `${folder}${index}/${name}`

/** Counts the tokens of a text with the encoding that a case names. */
export const counter =
  (name: TokenizerName) =>
  (text: string): number =>
    tokenizer(name).count(text)

export { sha256 }
