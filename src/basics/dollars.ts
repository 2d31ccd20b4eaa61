interface Tokens {
  readonly promptTokens: number
  readonly completionTokens: number
  readonly embeddedTokens: number
}

/** Prices in dollars per million tokens. */
interface Price {
  readonly prompt: number
  readonly completion: number
  readonly embedding: number
}

/** What tokens cost, in dollars. */
export const dollars = (
  { promptTokens, completionTokens, embeddedTokens }: Tokens,
  { prompt, completion, embedding }: Price,
): number => (promptTokens * prompt + completionTokens * completion + embeddedTokens * embedding) / 1e6

/** The price of a model; nothing for one on this computer where none is set. Undefined where it is not known. */
export const priceOf = ({ price, baseUrl }: { readonly price?: Price; readonly baseUrl?: string }): Price | undefined =>
  price ?? (baseUrl === undefined ? { prompt: 0, completion: 0, embedding: 0 } : undefined)
