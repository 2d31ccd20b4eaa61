import { stem } from './porter.ts'

/** Tokens as rouge_score/tokenize.py makes them: lower case, runs of a–z and 0–9; with `stemming`, those longer than 3 are stemmed. */
export function rougeTokens(text: string, stemming: boolean): string[] {
  const tokens = text.toLowerCase().match(/[a-z0-9]+/g) ?? []
  return stemming ? tokens.map((token) => (token.length > 3 ? stem(token) : token)) : tokens
}
