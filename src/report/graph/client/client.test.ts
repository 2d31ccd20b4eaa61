import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { drawing } from '../../../test-support/drawing.ts'
import { layout } from '../layout.ts'
import { pageData } from '../page-data.ts'
import { camera } from './camera.ts'
import { buildModel } from './model.ts'
import { finder, wordSearch } from './search-box.ts'

const data = pageData(drawing, layout(drawing.graph))

describe('the keyword search', () => {
  const search = wordSearch(['The mill at Orrin', 'the weir, the WEIR', 'Über Brücken', ''])

  test.each([
    ['weir', [1]],
    ['the', [1, 0]],
    ['THE mill', [0, 1]],
    ['brücken', [2]],
    ['nothing', []],
    ['', []],
  ])('finds for %j the texts %j', (query, found) => {
    expect(search(query, 10).map(({ index }) => index)).toEqual(found)
  })
})

describe('the camera of the graph page', () => {
  test('converts world points to screen points', () => {
    const place = fc.record({ x: fc.integer({ min: -500, max: 500 }), y: fc.integer({ min: -500, max: 500 }) })
    fc.assert(
      fc.property(
        fc.array(place, { minLength: 2, maxLength: 9 }),
        place,
        fc.double({ min: 0.5, max: 2, noNaN: true }),
        (places, held, factor) => {
          const view = camera(places)
          view.resize(800, 600)
          for (const one of places) {
            const { x, y } = view.toScreen(one)
            expect(x >= 0 && x <= 800 && y >= 0 && y <= 600).toBe(true)
          }
          // the point under the pointer stays there
          const before = view.toScreen(held)
          view.zoom(factor, before)
          expect(view.toScreen(held).x).toBeCloseTo(before.x, 6)
          expect(view.toScreen(held).y).toBeCloseTo(before.y, 6)
        },
      ),
    )
  })

  test('accepts no point or a single one', () => {
    const alone = camera([{ x: 3, y: 4 }])
    alone.resize(200, 100)
    expect(alone.toScreen({ x: 3, y: 4 })).toEqual({ x: 100, y: 50 })
    const none = camera([])
    none.resize(200, 100)
    none.show([])
    expect(none.toScreen({ x: 0, y: 0 })).toEqual({ x: 100, y: 50 })
  })
})

describe('the model of a drawing', () => {
  const { nodes, edges, edgesOf } = buildModel(data)

  test('orders edges by weight and indexes them by node', () => {
    expect(edges.map(({ weight }) => weight)).toEqual([3, 2.5, 2, 1.5, 0.5])
    expect(nodes.map((node) => edgesOf(node).length)).toEqual([2, 2, 3, 1, 1, 1])
  })

  test('draws rarer kinds larger, and colours groups, or kinds without groups', () => {
    expect(nodes[4]?.radius).toBeGreaterThan(nodes[0]?.radius ?? Infinity)
    expect(nodes.map(({ colour }) => colour)).toEqual([1, 1, 2, 0, 1, 2])
    const plain = buildModel({ ...data, nodes: data.nodes.map((node) => ({ ...node, group: 0 })) })
    expect(plain.nodes.map(({ colour }) => colour)).toEqual([1, 1, 1, 1, 2, 2])
  })
})

describe('the search', () => {
  const { nodes } = buildModel(data)
  const lit: { caption: string; ids: readonly string[]; evidence: readonly string[] }[] = []
  const find = finder(data, nodes, (caption, hits, evidence) => {
    const ids = hits.map((hit) => hit.nodes.map(({ id }) => id).join('+'))
    lit.push({ caption, ids, evidence: evidence.map(({ id }) => id) })
  })

  test('highlights the retrieved passages and evidence of a question', () => {
    find(` ${drawing.lookups[0]?.question}`)
    expect(lit.at(-1)).toMatchObject({ ids: ['0:3', nodes[5]?.id, ''], evidence: ['0:3', '0:2'] })
    expect(lit.at(-1)?.caption).toContain('memory retrieves')
  })

  test('highlights keyword matches, including utility questions, and labels them as such', () => {
    find('museum oven')
    expect(lit.at(-1)).toMatchObject({ ids: ['0:3', nodes[5]?.id] })
    expect(lit.at(-1)?.caption).toContain('not embeddings')
    find('who')
    expect(lit.at(-1)).toMatchObject({ ids: ['0:0'] })
  })
})
