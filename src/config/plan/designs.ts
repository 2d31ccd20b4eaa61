import { itemAt } from '../../basics/collections.ts'

/** Which combinations of the varied keys of a config are run. */
export const designs = ['all', 'one-at-a-time', 'pairs'] as const

/** A run: for each key the place of its value, from 0. */
type Places = readonly number[]

/** The runs of a design over keys of so many values; where there are more than `most`, how many, of pairs at least. */
export function runsOfDesign(
  design: (typeof designs)[number],
  sizes: readonly number[],
  most: number,
): readonly Places[] | number {
  const least = { all: product(sizes), 'one-at-a-time': oneAtATime(sizes).length, pairs: product(twoLongest(sizes)) }
  if (least[design] > most) return least[design]
  const runs = { all: combinations, 'one-at-a-time': oneAtATime, pairs: coveringRuns }[design](sizes)
  return runs.length > most ? runs.length : runs
}

const product = (sizes: readonly number[]): number => sizes.reduce((all, size) => all * size, 1)

const twoLongest = (sizes: readonly number[]): readonly number[] => sizes.toSorted((a, b) => b - a).slice(0, 2)

const placesOf = (size: number): Places => Array.from({ length: size }, (_, place) => place)

/** Every combination, the last key changing fastest. */
const combinations = (sizes: readonly number[]): readonly Places[] =>
  sizes.reduce<readonly Places[]>(
    (runs, size) => runs.flatMap((run) => placesOf(size).map((place) => [...run, place])),
    [[]],
  )

/** The first value of every key, and each other value of one key with the first of all others. */
function oneAtATime(sizes: readonly number[]): readonly Places[] {
  const base = sizes.map(() => 0)
  const others = (size: number, key: number) =>
    placesOf(size)
      .slice(1)
      .map((place) => base.with(key, place))
  return [base, ...sizes.flatMap(others)]
}

interface Value {
  readonly key: number
  readonly place: number
}

/**
 * Runs in which every two values of two keys meet, found greedily: each begins with the first pair that has not met, and
 * takes of every other key the first value with which most such pairs meet.
 */
function coveringRuns(sizes: readonly number[]): readonly Places[] {
  if (sizes.length < 2) return combinations(sizes)
  const nameOf = (a: Value, b: Value): string =>
    [a, b]
      .toSorted((one, other) => one.key - other.key)
      .map(({ key, place }) => `${key}:${place}`)
      .join(' ')
  const values = sizes.map((size, key) => placesOf(size).map((place): Value => ({ key, place })))
  const pairs = values.flatMap((own, key) =>
    own.flatMap((a) => values.slice(key + 1).flatMap((others) => others.map((b) => [a, b] as const))),
  )
  const missing = new Map(pairs.map((pair) => [nameOf(...pair), pair]))
  const runs: Places[] = []
  for (;;) {
    const [first] = missing.values()
    if (!first) return runs
    const run: Value[] = [...first]
    for (const own of values.filter((_, key) => !first.some((one) => one.key === key))) {
      const met = own.map((value) => run.filter((other) => missing.has(nameOf(value, other))).length)
      run.push(itemAt(own, met.indexOf(Math.max(...met))))
    }
    for (const a of run) for (const b of run) missing.delete(nameOf(a, b))
    runs.push(run.toSorted((a, b) => a.key - b.key).map(({ place }) => place))
  }
}
