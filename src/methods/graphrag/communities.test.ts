import { expect, test } from 'vitest'
import type { Relationship } from './tables.ts'
import { levelOf, candidates } from './reports.ts'
import { communityRows, componentOf } from './communities.ts'
const count = 60

/**
 * Pairs of entities, each a community of level 0, and all of them one of level 1; `read` counts how often an end is
 * looked at.
 */
function pairs() {
  const read = { ends: 0 }
  const entities = Array.from({ length: 2 * count }, (_, id) => ({
    id,
    title: `E${id}`,
    type: '',
    description: '',
    textUnitIds: [id],
    frequency: 1,
    degree: 1,
  }))
  const relationships = Array.from({ length: count }, (_, id): Relationship => {
    const row = { id, description: '', weight: 1, combinedDegree: 2, textUnitIds: [id] }
    const look = (title: string) => {
      read.ends++
      return title
    }
    return {
      ...row,
      get source() {
        return look(`E${2 * id}`)
      },
      get target() {
        return look(`E${2 * id + 1}`)
      },
    }
  })
  const all = entities.map(({ title }) => title)
  const clusters = [
    { id: 0, level: 0, parent: -1, titles: all },
    ...relationships.map((_, id) => ({ id: id + 1, level: 1, parent: 0, titles: all.slice(2 * id, 2 * id + 2) })),
  ]
  read.ends = 0
  return { entities, relationships, clusters, read }
}

test('communities: every relationship is looked at once a level, not once a community', () => {
  const { entities, relationships, clusters, read } = pairs()
  const communities = communityRows(clusters, entities, relationships)
  expect(read.ends).toBeLessThanOrEqual(2 * 2 * count)
  expect(communities[0]?.relationshipIds).toHaveLength(count)
  expect(communities[0]?.children).toEqual(relationships.map(({ id }) => id + 1))
  expect(communities[count]).toMatchObject({ relationshipIds: [count - 1], entityIds: [2 * count - 2, 2 * count - 1] })
})

test('relationships of a report: those of the level are found once, then by the titles of its members', () => {
  const { entities, relationships, clusters, read } = pairs()
  const communities = communityRows(clusters, entities, relationships)
  read.ends = 0
  const level = levelOf(communities, 1, entities, relationships)
  for (const edges of ['inner', 'level', 'first'] as const) {
    const own = communities.slice(1).map(({ entityIds }) => {
      const members = entityIds.flatMap((id) => entities[id] ?? [])
      return candidates(members, level, edges).map(({ id }) => id)
    })
    expect(own).toEqual(relationships.map(({ id }) => [id]))
  }
  expect(read.ends).toBeLessThanOrEqual(6 * count)
})

test('150,000 components: the largest is found', () => {
  const rows = Array.from({ length: 150_000 }, (_, id) => ({ source: `A${id}`, target: `B${id}`, weight: 1 }))
  const component = componentOf([...rows, { source: 'A7', target: 'C', weight: 1 }], { largestComponent: true })
  expect(component.names).toEqual(['A7', 'B7', 'C'])
})
