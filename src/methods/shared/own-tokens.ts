import type { Models } from '../../types.ts'

type Tokens = Pick<Models, 'embedTokens' | 'tokenIds'>

/** The vectors of a text's tokens without those that an embedder sets around every text; none for an empty text. */
export async function ownTokens(text: string, models: Tokens): Promise<readonly Float32Array[]> {
  const [vectors, ids, special] = [await models.embedTokens(text), models.tokenIds(text), models.tokenIds('')]
  const from = special.findIndex((id, at) => ids[at] !== id)
  const before = from < 0 ? special.length : from
  return vectors.slice(before, vectors.length - (special.length - before))
}

/** How many tokens of its own a text has, as far as the embedder reads it. */
export const countOwnTokens = (text: string, { tokenIds }: Pick<Tokens, 'tokenIds'>): number =>
  tokenIds(text).length - tokenIds('').length

/** Whether an embedder reads a text to its end: a word more is then read, too. */
export const isReadWhole = (text: string, { tokenIds }: Pick<Tokens, 'tokenIds'>): boolean =>
  tokenIds(`${text} a`).length > tokenIds(text).length
