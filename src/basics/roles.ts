/** The roles of models. */
export type ModelRole = 'complete' | 'embed' | 'judge' | 'answer' | 'rerank'

/** A value per role; without `answer` the complete model answers, without `rerank` none reranks. */
export type ByRole<T> = Readonly<Record<'complete' | 'embed' | 'judge', T>> & {
  readonly answer?: T
  readonly rerank?: T
}

/** Maps the values of the roles. */
export const mapRoles = <T, R>(
  { complete, answer, embed, judge, rerank }: ByRole<T>,
  make: (value: T, role: ModelRole) => R,
): ByRole<R> => ({
  complete: make(complete, 'complete'),
  ...(answer !== undefined && { answer: make(answer, 'answer') }),
  embed: make(embed, 'embed'),
  judge: make(judge, 'judge'),
  ...(rerank !== undefined && { rerank: make(rerank, 'rerank') }),
})
