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

/** The cost of tokens in dollars. */
export const dollars = (
  { promptTokens, completionTokens, embeddedTokens }: Tokens,
  { prompt, completion, embedding }: Price,
): number => (promptTokens * prompt + completionTokens * completion + embeddedTokens * embedding) / 1e6

/** The price of a model; 0 for local models without a price. Undefined where unknown. */
export const priceOf = ({ price, baseUrl }: { readonly price?: Price; readonly baseUrl?: string }): Price | undefined =>
  price ?? (baseUrl === undefined ? { prompt: 0, completion: 0, embedding: 0 } : undefined)
