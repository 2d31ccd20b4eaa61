import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { drawing } from '../../../test-support/drawing.ts'
import { layout } from '../layout.ts'
import { pageData } from '../page-data.ts'
import { camera } from './camera.ts'
import { buildScene, edgesOf } from './model.ts'
import { finder } from './search.ts'

const data = pageData(drawing, layout(drawing.graph))

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
    none.fit([])
    expect(none.transform()).toEqual({ x: 0, y: 0, scale: 1 })
  })
})

describe('the model of a drawing', () => {
  const scene = buildScene(data)
  const { nodes, edges } = scene

  test('orders edges by weight and indexes them by node', () => {
    expect(edges.map(({ weight }) => weight)).toEqual([3, 2.5, 2, 1.5, 0.5])
    expect(nodes.map((node) => edgesOf(scene, node).length)).toEqual([2, 2, 3, 1, 1, 1])
  })

  test('draws rarer kinds larger', () => {
    expect(nodes[4]?.radius).toBeGreaterThan(nodes[0]?.radius ?? Infinity)
    expect(nodes.map(({ shape }) => shape)).toEqual([0, 0, 0, 0, 1, 1])
  })
})

describe('the search', () => {
  const { nodes } = buildScene(data)
  const find = (input: string) => {
    const { caption, results, evidence } = finder(data, nodes)(input)
    const ids = results.map((hit) => hit.nodes.map(({ id }) => id).join('+'))
    return { caption, ids, evidence: evidence.map(({ id }) => id) }
  }

  test('gives the retrieved passages and evidence of a question', () => {
    const found = find(` ${drawing.lookups[0]?.question}`)
    expect(found).toMatchObject({ ids: ['0:3', nodes[5]?.id, ''], evidence: ['0:3', '0:2'] })
    expect(found.caption).toContain('memory retrieves')
  })

  test.each([
    ['museum oven', ['0:3', nodes[5]?.id]],
    ['WHO', ['0:0']],
    ['nothing', []],
  ])('gives keyword matches of %s, including utility questions, and labels them as such', (input, ids) => {
    const found = find(input)
    expect(found.ids).toEqual(ids)
    expect(found.caption).toContain('not embeddings')
  })
})
