/** Questions of a run, numbered from 0 in the order in which they are met. */
export interface QuestionNumbers {
  readonly numberOf: (id: string, cluster: string | undefined) => number
  /** The cluster of a question, by its number; one that has none is a cluster of its own. */
  readonly clusterOf: (number: number) => string | number
}

export function questionNumbers(): QuestionNumbers {
  const numbers = new Map<string, number>()
  const clusters: (string | undefined)[] = []
  return {
    numberOf(id, cluster) {
      let number = numbers.get(id)
      if (number === undefined) {
        numbers.set(id, (number = numbers.size))
        clusters.push(cluster)
      }
      return number
    },
    clusterOf: (number) => clusters[number] ?? number,
  }
}
