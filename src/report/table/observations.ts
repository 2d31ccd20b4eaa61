import { mean } from '../../math/statistics/descriptive.ts'

/** Scores of one metric: values by question, repeat and judge run. */
export interface Observations {
  /** `question`, `repeat` and `run` are numbered from 0. */
  add(question: number, repeat: number, run: number, value: number): void
  /** Of every question that has a value: its values, a list a repeat, by judge run, in the order in which questions are numbered. */
  byQuestion(): readonly QuestionScores[]
}

export interface QuestionScores {
  readonly question: number
  /** s_iA: the mean over repeats of the means over judge runs. */
  readonly mean: number
  /** A repeat's values by judge run. */
  readonly repeats: readonly Repeat[]
}

interface Repeat {
  readonly repeat: number
  readonly values: readonly { readonly run: number; readonly value: number }[]
}

/** No scores yet; 20 bytes a score. */
export function observations(): Observations {
  let questions = new Uint32Array(16)
  let repeats = new Uint32Array(16)
  let runs = new Uint32Array(16)
  let values = new Float64Array(16)
  let count = 0
  return {
    add(question, repeat, run, value) {
      if (count === values.length) {
        questions = widened(questions)
        repeats = widened(repeats)
        runs = widened(runs)
        values = widened(values)
      }
      questions[count] = question
      repeats[count] = repeat
      runs[count] = run
      values[count] = value
      count++
    },
    byQuestion() {
      const order = Array.from({ length: count }, (_, i) => i).sort(
        (a, b) => at(questions, a) - at(questions, b) || at(repeats, a) - at(repeats, b) || at(runs, a) - at(runs, b),
      )
      const found: { question: number; repeats: { repeat: number; values: { run: number; value: number }[] }[] }[] = []
      for (const i of order) {
        if (found.at(-1)?.question !== at(questions, i)) found.push({ question: at(questions, i), repeats: [] })
        const own = found.at(-1)?.repeats ?? []
        if (own.at(-1)?.repeat !== at(repeats, i)) own.push({ repeat: at(repeats, i), values: [] })
        own.at(-1)?.values.push({ run: at(runs, i), value: at(values, i) })
      }
      return found.map((one) => ({
        ...one,
        mean: mean(one.repeats.map((repeat) => mean(repeat.values.map(({ value }) => value)))),
      }))
    },
  }
}

const at = (numbers: Uint32Array | Float64Array, index: number): number => numbers[index] ?? 0

function widened<T extends Uint32Array | Float64Array>(numbers: T): T {
  const wider = new (numbers.constructor as new (length: number) => T)(2 * numbers.length)
  wider.set(numbers)
  return wider
}

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
