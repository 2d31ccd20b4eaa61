import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildGraph, type SparseRows } from '../graph.ts'
import { sweeperOf, type Sweeper } from './sweep.ts'

const vectors = ['potentials', 'restart', 'gains', 'scales', 'leaks'] as const
type Vectors = Readonly<Record<(typeof vectors)[number], Float64Array>>

/** The same in plain JavaScript. */
const plainSweeper = (rows: SparseRows, { potentials, restart, gains, scales, leaks }: Vectors): Sweeper => ({
  ...{ potentials, restart, gains, scales, leaks },
  sweep: (damping, restarting) => {
    const swept = { change: 0, mass: 0, restarting: 0 }
    for (let node = 0; node < potentials.length; node++) {
      let pulled = 0
      for (let k = rows.offsets[node]!; k < rows.offsets[node + 1]!; k++) {
        pulled += rows.weights[k]! * potentials[rows.targets[k]!]!
      }
      const before = potentials[node]!
      const pull = restarting * restart[node]! + damping * pulled
      const after = before + gains[node]! * (pull - scales[node]! * before)
      potentials[node] = after
      swept.change += scales[node]! * Math.abs(after - before)
      swept.mass += scales[node]! * after
      swept.restarting += leaks[node]! * after
    }
    return swept
  },
})

const nodes = 6
const number = fc.double({ min: 0, max: 10, noNaN: true })
const ofNodes = fc.array(number, { minLength: nodes, maxLength: nodes }).map((values) => Float64Array.from(values))
const someVectors = fc.record({
  ...{ potentials: ofNodes, restart: ofNodes, gains: ofNodes, scales: ofNodes, leaks: ofNodes },
})
const edge = fc.tuple(fc.nat(nodes - 1), fc.nat(nodes - 1), fc.oneof(fc.constant(0), number))

/** Node 0 stands alone, 1 leads to itself, 3 and 5 lead nowhere, 5 is reached by a weight of 0. */
const hard = [
  [1, 1, 0.3],
  [1, 4, 0.7],
  [4, 2, 0.1],
  [2, 1, 1.1],
  [2, 3, 0.9],
  [2, 5, 0],
] as const

test('sweeps give the bytes of plain JavaScript: empty rows, self-loops, dangling nodes, edges of weight 0', () => {
  fc.assert(
    fc.property(fc.array(edge, { maxLength: 20 }), fc.boolean(), someVectors, (more, directed, given) => {
      const list = [...hard, ...more]
      const column = <Place extends 0 | 1 | 2>(place: Place) => list.map((line) => line[place])
      const rows = buildGraph(nodes, { from: column(0), to: column(1), weight: column(2) }, { directed })
      const sweeper = sweeperOf(rows)
      for (const name of vectors) sweeper[name].set(given[name])
      const plain = plainSweeper(rows, structuredClone(given))
      for (const restarting of [1, 0.7, 0.1]) {
        expect(sweeper.sweep(0.85, restarting)).toEqual(plain.sweep(0.85, restarting))
        expect(sweeper.potentials).toEqual(plain.potentials)
      }
    }),
  )
})

test('rows without an entry', () => {
  const sweeper = sweeperOf(buildGraph(2, { from: [], to: [], weight: [] }))
  expect(sweeper.sweep(0.5, 1)).toEqual({ change: 0, mass: 0, restarting: 0 })
  sweeper.restart.set([0, 1])
  sweeper.gains.fill(1)
  sweeper.scales.fill(1)
  sweeper.leaks.fill(1)
  expect(sweeper.sweep(0.5, 1)).toEqual({ change: 1, mass: 1, restarting: 1 })
  expect([...sweeper.potentials]).toEqual([0, 1])
})
