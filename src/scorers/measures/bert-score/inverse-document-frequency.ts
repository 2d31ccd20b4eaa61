/** ln((N+1)/(df+1)) by token over N reference texts; one in no text weighs ln(N+1), one in all weighs 0 (bert_score@19e7f551, utils.py, get_idf_dict). */
export function inverseDocumentFrequency<T>(references: readonly (readonly T[])[]): (token: T) => number {
  const texts = new Map<T, number>()
  for (const tokens of references) for (const token of new Set(tokens)) texts.set(token, (texts.get(token) ?? 0) + 1)
  return (token) => Math.log((references.length + 1) / ((texts.get(token) ?? 0) + 1))
}
