import { z } from 'zod'
import { rankByLabel } from '../../src/math/gat/losses.ts'
import { messagesOf, freshNetwork } from '../../src/math/gat/network.ts'
import { fitNetwork, type Example } from '../../src/math/gat/train.ts'
import { mulberry32 } from '../../src/math/random.ts'
import { comparedRow } from './pairs.ts'
import { inChild, small, type BenchRow } from './row.ts'

const [nodes, queries, dim] = [130, 30, 384]
/** Of one repetition. */
const steps = small ? 2 : 50

/** Graph of Records: steps of its training against torch's, and the record graph of a long document. */
export async function* recordsBench(): AsyncGenerator<BenchRow> {
  yield await trainingRow()
  yield await documentRow()
}

async function trainingRow(): Promise<BenchRow> {
  const network = freshNetwork(dim, 1, 2, 42)
  const batches = Array.from({ length: steps }, () => [madeExample()])
  const dropout = { features: 0.2, attention: 0.1, random: mulberry32(7) }
  return comparedRow({
    name: `${steps} training steps, ${nodes} nodes, ${queries} queries, d = ${dim}, one head`,
    about: 'float64, 1 thread',
    work: () =>
      fitNetwork(
        network,
        batches,
        { contrastive: 1, coe: 0.5, tieRule: 'position', rate: 1e-3, dropout },
        () => undefined,
      ),
    comparator: {
      script: 'gat-torch.py',
      task: 'training',
      given: { nodes, queries, dim, steps },
      result: z.null(),
    },
    most: 1.5,
  })
}

function madeExample(): Example {
  const random = mulberry32(42)
  const unit = (length: number) => Float64Array.from({ length }, () => (2 * random() - 1) * Math.sqrt(3 / dim))
  const someNode = () => Math.floor(random() * nodes)
  const edges = Array.from({ length: 6 * queries }, () => [someNode(), someNode()] as const)
  return {
    nodes,
    features: unit(nodes * dim),
    messages: messagesOf(nodes, edges, { direction: 'toResponse', duplicateSelfLoop: 'merge' }),
    queries: unit(queries * dim),
    rankings: Array.from({ length: queries }, () => rankByLabel(unit(nodes))),
  }
}

async function documentRow(): Promise<BenchRow> {
  const {
    seconds,
    megabytes,
    chunks,
    queries: requests,
  } = await inChild(documentReply, 'records', small ? '2000' : '100000')
  return {
    name: 'record graph of a document of 100,000 tokens, offline',
    figure: `${seconds.toFixed(1)} s, ${megabytes.toFixed(0)} MB`,
    goal: '< 20 s, < 500 MB',
    met: seconds < 20 && megabytes < 500,
    note: `${chunks} chunks of 256 tokens, ${requests} simulated queries; embeddings by shared words; peak resident memory of the process`,
  }
}

const documentReply = z.object({ seconds: z.number(), megabytes: z.number(), chunks: z.number(), queries: z.number() })
