import type { Pagerank } from '../../math/pagerank.ts'

/** What a question has fallen back to; undefined where PageRank converged and nothing else is given. */
export function fallbackOfWalk(walked: Omit<Pagerank, 'scores'> | undefined, other?: string): string | undefined {
  const unsettled =
    walked?.converged === false ? [`PageRank did not converge within ${walked.iterations} iterations`] : []
  const said = [...(other === undefined ? [] : [other]), ...unsettled]
  return said.length === 0 ? undefined : said.join('; ')
}
