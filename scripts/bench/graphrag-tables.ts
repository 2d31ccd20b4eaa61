import { mulberry32 } from '../../src/math/random.ts'
import { degreesOf, combinedDegree, type Tables } from '../../src/methods/graphrag/tables.ts'

/** An invented index: four relationships an entity, twenty entities a community, two text units an entity. */
export function madeTables(count: number): Tables {
  const random = mulberry32(3)
  const some = (most: number): number => Math.floor(random() * most)
  const vocabulary = Array.from({ length: 3000 }, (_, word) => `word${word.toString(36)}`)
  const told = (words: number): string => Array.from({ length: words }, () => vocabulary[some(3000)] ?? '').join(' ')
  const titles = Array.from({ length: count }, (_, entity) => `ENTITY ${entity}`)
  const units = Math.floor(count / 5)
  const pairs = Array.from({ length: 4 * count }, (_, pair) => ({
    source: titles[Math.floor(pair / 4)] ?? '',
    target: titles[some(count)] ?? '',
  }))
  const degrees = degreesOf(pairs)
  const textUnitsOf = () => [some(units), some(units)]
  const communities = Array.from({ length: count / 20 }, (_, id) => ({
    ...{ id, level: 0, parent: -1, children: [], title: `Community ${id}`, relationshipIds: [], textUnitIds: [] },
    entityIds: Array.from({ length: 20 }, (_, member) => id * 20 + member),
    size: 20,
  }))
  return {
    entities: titles.map((title, id) => ({
      ...{ id, title, type: '', description: told(25), textUnitIds: textUnitsOf(), frequency: 2 },
      degree: degrees.get(title) ?? 0,
    })),
    relationships: pairs.map((pair, id) => ({
      ...{ id, ...pair, description: told(20), weight: 1 + some(9), textUnitIds: textUnitsOf() },
      combinedDegree: combinedDegree(pair, degrees),
    })),
    communities,
    reports: communities.map(({ id, title }) => ({
      ...{ community: id, level: 0, title, summary: '', fullContent: told(300), rank: some(10), findings: [] },
    })),
    textUnits: Array.from({ length: units }, (_, id) => ({
      ...{ id, docId: 'd', text: told(250), tokens: 300, entityIds: [], relationshipIds: [] },
    })),
  }
}
