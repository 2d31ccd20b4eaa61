import { similarityFactors } from '../../src/math/spectrum/factors.ts'
import { mulberry32 } from '../../src/math/random.ts'
import { bestQuestion } from '../../src/methods/gem-rag/best-question.ts'
import type { GemNode } from '../../src/methods/gem-rag/node.ts'
import { recaller } from '../../src/methods/gem-rag/recall.ts'
import { best, type BenchRow } from './row.ts'

const [size, dimensions, questions, count] = [5000, 1536, 5, 4]

/** One question to a GEM of 5,000 nodes with five questions each, against a look at every question, which computes every length anew. */
export async function recallBench(): Promise<readonly BenchRow[]> {
  const random = mulberry32(42)
  const unit = (): Float32Array => {
    const vector = Float32Array.from({ length: dimensions }, () => random() - 0.5)
    const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))
    return vector.map((value) => value / length)
  }
  const question = (raw: Float32Array) => ({ text: '', raw, asDocument: raw })
  const nodes = Array.from({ length: size }, (_, index): GemNode => ({
    ...{ kind: 'chunk', text: '', from: [String(index)], vector: unit() },
    questions: Array.from({ length: questions }, () => question(unit())),
  }))
  const prompt = unit()
  const recall = recaller([{ nodes, factors: similarityFactors([], []) }], {
    ...{ mode: 'algorithm-1', questionEmbedding: 'averaged', symmetrize: 'mean' },
  })
  recall(prompt, count)
  const took = await best(9, () => recall(prompt, count))
  const plainly = () =>
    nodes
      .map((node, index) => ({ node: index, score: bestQuestion(node, prompt, 'averaged').similarity }))
      .sort((a, b) => b.score - a.score)
      .slice(0, count)
  const plain = await best(3, plainly)
  const found = recall(prompt, count)
  const same = plainly().every(({ node, score }, rank) => found[rank]?.node === node && found[rank].score === score)
  return [
    {
      name: `GEM-RAG recall of ${size.toLocaleString('en-US')} nodes x ${dimensions}, ${questions} questions each`,
      figure: `${(took * 1000).toFixed(0)} ms`,
      goal: '< 30 ms, same scores',
      met: took < 0.03 && same,
      note: `${same ? 'the same nodes and scores' : 'OTHER NODES OR SCORES'} as a look at every question, which takes ${(plain * 1000).toFixed(0)} ms`,
    },
  ]
}
