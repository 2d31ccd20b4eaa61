/** What a model is asked for. */
export type ModelRole = 'complete' | 'embed' | 'judge' | 'answer' | 'rerank'

/** Something for each role; without `answer` the complete model answers, and without `rerank` none reranks. */
export type ByRole<T> = Readonly<Record<'complete' | 'embed' | 'judge', T>> & {
  readonly answer?: T
  readonly rerank?: T
}

/** The same roles, each with what is made of its own. */
export const mapRoles = <T, R>(
  { complete, answer, embed, judge, rerank }: ByRole<T>,
  make: (own: T, role: ModelRole) => R,
): ByRole<R> => ({
  complete: make(complete, 'complete'),
  ...(answer !== undefined && { answer: make(answer, 'answer') }),
  embed: make(embed, 'embed'),
  judge: make(judge, 'judge'),
  ...(rerank !== undefined && { rerank: make(rerank, 'rerank') }),
})
