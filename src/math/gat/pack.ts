import { stored, type Layer, type Network } from './network.ts'

/** How many numbers a layer keeps, by name; `place` counts layers from 0. */
function sizesOf(dim: number, heads: number, place: number) {
  const inputs = place === 0 ? dim : dim * heads
  return { inputs, of: (name: (typeof stored)[number]) => dim * heads * (name === 'weight' ? inputs : 1) }
}

/** Numbers that a network of this shape keeps. */
export const packedLength = (dim: number, heads: number, layers: number): number =>
  Array.from({ length: layers }, (_, place) => sizesOf(dim, heads, place)).reduce(
    (sum, { of }) => stored.reduce((own, name) => own + of(name), sum),
    0,
  )

/** All numbers of a network in a fixed order: layer after layer, as `stored` lists them. */
export function packed({ dim, heads, layers }: Network): Float32Array {
  const all = new Float32Array(packedLength(dim, heads, layers.length))
  let at = 0
  for (const layer of layers) {
    for (const name of stored) {
      all.set(layer[name], at)
      at += layer[name].length
    }
  }
  return all
}

/** The network that `packed` wrote. Throws RangeError where the shape asks for another number of numbers. */
export function unpacked(all: Float32Array, dim: number, heads: number, layers: number): Network {
  if (all.length !== packedLength(dim, heads, layers))
    throw new RangeError(`${all.length} numbers where ${packedLength(dim, heads, layers)} are needed`)
  let at = 0
  return {
    ...{ dim, heads },
    layers: Array.from({ length: layers }, (_, place): Layer => {
      const { inputs, of } = sizesOf(dim, heads, place)
      const entries = stored.map((name) => [name, Float64Array.from(all.subarray(at, (at += of(name))))] as const)
      return { inputs, ...(Object.fromEntries(entries) as Record<(typeof stored)[number], Float64Array>) }
    }),
  }
}
