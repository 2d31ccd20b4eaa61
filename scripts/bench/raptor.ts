import { mulberry32 } from '../../src/math/random.ts'
import { growTree } from '../../src/methods/raptor/tree.ts'
import { raptorOptions } from '../../src/methods/raptor/options.ts'
import { summarise } from '../../src/tasks/pieces.ts'
import { fakeModels } from '../../src/testing/fake-models.ts'
import { seconds, type BenchRow, small } from './row.ts'

const [chunks, dimensions, topics] = small ? [60, 16, 5] : [2000, 384, 40]

/** A whole tree with all its mathematics and no model: summaries are made up, embeddings drawn around forty topics. */
export async function raptorBench(): Promise<readonly BenchRow[]> {
  const random = mulberry32(42)
  const centres = Array.from({ length: topics }, () => unit(() => random() - 0.5))
  const near = (topic: number): Float32Array => {
    const centre = centres[topic % topics]!
    return unit((i) => centre[i]! + 0.06 * (random() - 0.5))
  }
  let summaries = 0
  const models = {
    ...fakeModels({ replies: { [summarise.name]: () => `summary ${summaries++}` } }),
    embed: async (texts: readonly string[]) => texts.map((text) => near(Number(/\d+/.exec(text)?.[0]))),
    countTokens: (text: string) => text.length,
  }
  const leaves = Array.from({ length: chunks }, (_, i) => ({
    documentId: 'd',
    start: 0,
    end: 0,
    text: `topic ${i % topics}`,
    from: [String(i)],
  }))
  let layers = ''
  const duration = await seconds(async () => {
    const tree = await growTree(leaves, models, raptorOptions.parse({}))
    layers = tree.layers.map((layer) => layer.length).join(', ')
  })
  return [
    {
      name: `RAPTOR tree over ${chunks} chunks, no model`,
      figure: `${duration.toFixed(1)} s`,
      goal: '< 20 s',
      met: duration < 20,
      note: `nodes per layer ${layers}`,
    },
  ]
}

function unit(of: (index: number) => number): Float32Array {
  const vector = Float32Array.from({ length: dimensions }, (_, i) => of(i))
  const length = Math.hypot(...vector)
  return vector.map((value) => value / length)
}
