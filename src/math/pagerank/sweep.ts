import type { SparseRows } from '../graph.ts'
import {
  assemble,
  f64,
  i32,
  locals,
  whileDo,
  type Code,
  type Func,
  type Local,
  type ValueType,
} from '../wasm/assembler.ts'
import { memoryOf, type Memory, type Module } from '../wasm/kernels.ts'

/** The equations degree·z - d·Wᵀz = m·r where a sweep works on them: one number for each node, 0 at first, beside the rows of Wᵀ. */
export interface Sweeper {
  /** z, a score over the degree. */
  readonly potentials: Float64Array
  /** r, the shares of the mass m that restarts. */
  readonly restart: Float64Array
  /** The degree, or 1 where nothing leaves. */
  readonly scales: Float64Array
  /** The mass that restarts from a node, for a potential of 1. */
  readonly leaks: Float64Array
  /** One over the diagonal of the equations. */
  readonly gains: Float64Array
  /** One pass over the nodes, each solved from the newest potentials of the others; sums are in the order of the entries. */
  readonly sweep: (damping: number, restarting: number) => Swept
}

/** What a sweep did to the scores before their division by their sum: their L1 change, that sum, and what of it restarts. */
export interface Swept {
  readonly change: number
  readonly mass: number
  readonly restarting: number
}

/** A sweeper of the rows, of which it takes a copy. In WebAssembly: an engine checks the place of every number of an array. */
export function sweeperOf({ offsets, targets, weights }: SparseRows): Sweeper {
  const nodes = offsets.length - 1
  const memory = memoryOf(8 * (5 * nodes + 3 + weights.length) + 4 * (targets.length + nodes), false)
  let free = 0
  const doubles = (count: number): Float64Array => {
    const numbers = new Float64Array(memory.buffer, free, count)
    free += numbers.byteLength
    return numbers
  }
  const potentials = doubles(nodes)
  const others = { restart: doubles(nodes), gains: doubles(nodes), scales: doubles(nodes), leaks: doubles(nodes) }
  const sums = doubles(3)
  const ownWeights = doubles(weights.length)
  const ownTargets = new Uint32Array(memory.buffer, free, targets.length)
  const ends = new Uint32Array(memory.buffer, free + ownTargets.byteLength, nodes)
  ownWeights.set(weights)
  ownTargets.set(targets)
  for (let node = 0; node < nodes; node++) ends[node] = ownTargets.byteOffset + 4 * offsets[node + 1]!
  const addresses = [...Object.values(others), ownWeights, ownTargets, ends, sums].map(({ byteOffset }) => byteOffset)
  const run = instanceOn(memory)
  return {
    potentials,
    ...others,
    sweep: (damping, restarting) => {
      run(damping, restarting, nodes, potentials.byteOffset, ...addresses)
      return { change: sums[0]!, mass: sums[1]!, restarting: sums[2]! }
    },
  }
}

type Sweep = (damping: number, restarting: number, nodes: number, ...addresses: readonly number[]) => void

let code: Module | undefined

function instanceOn(memory: Memory): Sweep {
  code ??= new WebAssembly.Module(assemble([sweep()], false))
  // the shape is that of the function below
  const exports = new WebAssembly.Instance(code, { env: { memory } }).exports as { readonly sweep: Sweep }
  return exports.sweep
}

/** The part of the platform's API that is used: the language's own library does not describe it. */
declare const WebAssembly: {
  readonly Module: new (code: Uint8Array<ArrayBuffer>) => Module
  readonly Instance: new (code: Module, imports: object) => { readonly exports: object }
}

const places = ['nodes', 'potential', 'restart', 'gain', 'scale', 'leak', 'weight', 'target', 'end', 'sums'] as const

/**
 * potential += gain · (restarting · restart + damping · pulled - scale · potential) for every node. Places move on with the nodes
 * and the entries; the potentials lie from 0 on, and `end` is the place of the place where a row of targets ends.
 */
function sweep(): Func {
  const given = named('f64', 0, ['damping', 'restarting'])
  const at = named('i32', 2, places)
  const [rowEnd] = locals('i32', 12, 1) as [Local]
  const own = named('f64', 13, ['before', 'after', 'pulled', 'change', 'mass', 'lost'])
  const { before, after, pulled, change, mass, lost } = own
  const scaled = (value: Code): Code => f64.mul(f64.load(at.scale.get, 0), value)
  const body = [
    whileDo(
      at.nodes.get,
      rowEnd.set(i32.load(at.end.get, 0)),
      pulled.set(f64.zero),
      whileDo(
        i32.lessThan(at.target.get, rowEnd.get),
        add(
          pulled,
          f64.mul(f64.load(at.weight.get, 0), f64.load(i32.mul(i32.load(at.target.get, 0), i32.const(8)), 0)),
        ),
        move(at.weight, 8),
        move(at.target, 4),
      ),
      before.set(f64.load(at.potential.get, 0)),
      after.set(
        f64.add(f64.mul(given.restarting.get, f64.load(at.restart.get, 0)), f64.mul(given.damping.get, pulled.get)),
      ),
      after.set(f64.mul(f64.load(at.gain.get, 0), f64.sub(after.get, scaled(before.get)))),
      after.set(f64.add(before.get, after.get)),
      f64.store(at.potential.get, 0, after.get),
      add(change, scaled(f64.abs(f64.sub(after.get, before.get)))),
      add(mass, scaled(after.get)),
      add(lost, f64.mul(f64.load(at.leak.get, 0), after.get)),
      ...[at.potential, at.restart, at.gain, at.scale, at.leak].map((address) => move(address, 8)),
      move(at.end, 4),
      move(at.nodes, -1),
    ),
    ...[change, mass, lost].map((total, i) => f64.store(at.sums.get, 8 * i, total.get)),
  ]
  const params = [...Object.values(given), ...Object.values(at)]
  return { name: 'sweep', params, locals: [rowEnd, ...Object.values(own)], body: body.flat() }
}

/** Locals of these names, numbered from `first`. */
const named = <Name extends string>(type: ValueType, first: number, names: readonly Name[]) =>
  Object.fromEntries(locals(type, first, names.length).map((local, i) => [names[i], local])) as Record<Name, Local>

const add = (total: Local, value: Code): Code => total.set(f64.add(total.get, value))
const move = (address: Local, bytes: number): Code => address.set(i32.add(address.get, i32.const(bytes)))
