import { test } from 'vitest'

/**
 * Runs a suite for every item of a registry
 * with each of its fixtures. An item without
 * one fails, and so does a fixture of no item.
 */
export function walk<T extends { readonly name: string }, F>(
  items: readonly T[],
  fixtures: Readonly<Record<string, readonly F[]>>,
  file: string,
  suite: (item: T, fixture: F) => void,
): void {
  for (const item of items) {
    const cases = fixtures[item.name] ?? []
    if (cases.length === 0) {
      test(`${item.name} has a fixture`, () => {
        throw new Error(`give ${item.name} a fixture in ${file}`)
      })
    }
    for (const fixture of cases) suite(item, fixture)
  }
  const names = items.map(({ name }) => name)
  test.each(Object.keys(fixtures).filter((name) => !names.includes(name)))(
    'the fixture %s is of the registry',
    (name) => {
      throw new Error(`no item of the registry is called ${name}: take its fixture out of ${file}`)
    },
  )
}
