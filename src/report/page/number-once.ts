/** Numbers things from 0 in the order in which they are met, those of one key alike. */
export function numberOnce<T>(keyOf: (one: T) => string): {
  readonly numberOf: (one: T) => number
  readonly all: () => readonly T[]
} {
  const numbers = new Map<string, number>()
  const all: T[] = []
  return {
    numberOf(one) {
      const key = keyOf(one)
      const number = numbers.get(key) ?? all.length
      if (number === all.length) all.push(one)
      numbers.set(key, number)
      return number
    },
    all: () => all,
  }
}
