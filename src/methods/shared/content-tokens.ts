import type { Models } from '../../types.ts'

type Tokens = Pick<Models, 'embedTokens' | 'tokenIds'>

/** The token vectors of a text without the special tokens around it; none for an empty text. */
export async function contentTokens(text: string, models: Tokens): Promise<readonly Float32Array[]> {
  const vectors = await models.embedTokens(text)
  const ids = models.tokenIds(text)
  const special = models.tokenIds('')
  const from = special.findIndex((id, at) => ids[at] !== id)
  const before = from < 0 ? special.length : from
  return vectors.slice(before, vectors.length - (special.length - before))
}

/** The number of tokens of a text without special tokens, within the embedder's window. */
export const countContentTokens = (text: string, { tokenIds }: Pick<Tokens, 'tokenIds'>): number =>
  tokenIds(text).length - tokenIds('').length

/** Whether a text fits the embedder's window: one more word then adds a token. */
export const fitsWindow = (text: string, { tokenIds }: Pick<Tokens, 'tokenIds'>): boolean =>
  tokenIds(`${text} a`).length > tokenIds(text).length
