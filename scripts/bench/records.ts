import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { z } from 'zod'
import { ranked } from '../../src/math/gat/losses.ts'
import { messagesOf } from '../../src/math/gat/messages.ts'
import { freshNetwork } from '../../src/math/gat/network.ts'
import { trainedOn, type Example } from '../../src/math/gat/train.ts'
import { mulberry32 } from '../../src/math/random.ts'
import { pythonOutput } from './python-output.ts'
import type { BenchRow } from './row.ts'

const [nodes, queries, dim] = [130, 30, 384]
const steps = { warm: 100, measured: 300 }
const child = fileURLToPath(new URL('records-child.js', import.meta.url))
const script = fileURLToPath(new URL('gat-torch.py', import.meta.url))

/** Graph of Records: a step of its training against torch's on the same machine, and the record graph of a long document. */
export async function recordsBench(): Promise<readonly BenchRow[]> {
  return [await trainingRow(), await documentRow()]
}

async function trainingRow(): Promise<BenchRow> {
  const ours = await stepSeconds()
  const row = { name: `training step, ${nodes} nodes, ${queries} queries, d = ${dim}, one head`, goal: '<= 1.5x torch' }
  const note = `${milliseconds(ours)} of the processor, in float64`
  const said = pythonOutput(
    process.env['GEMBENCH_PYTHON'] ?? 'python3',
    [script, ...[nodes, queries, dim, steps.measured].map(String)],
    'torch',
  )
  if (said === undefined) {
    const absent = 'no python with torch to compare with (GEMBENCH_PYTHON names one)'
    return { ...row, figure: milliseconds(ours), met: null, note: `${note}; ${absent}` }
  }
  const { seconds, version } = z.object({ seconds: z.number(), version: z.string() }).parse(JSON.parse(said))
  return {
    ...row,
    figure: `${(ours / seconds).toFixed(2)}x`,
    met: ours <= 1.5 * seconds,
    note: `${note}; torch ${version} ${milliseconds(seconds)}, in float32 on one thread`,
  }
}

/** Seconds of the processor that a step takes, dropout included, once it has been compiled. */
async function stepSeconds(): Promise<number> {
  const random = mulberry32(42)
  const unit = (length: number) => Float64Array.from({ length }, () => (2 * random() - 1) * Math.sqrt(3 / dim))
  const someNode = () => Math.floor(random() * nodes)
  const edges = Array.from({ length: 6 * queries }, () => [someNode(), someNode()] as const)
  const example: Example = {
    nodes,
    features: unit(nodes * dim),
    messages: messagesOf(nodes, edges, { direction: 'toResponse', duplicateSelfLoop: 'merge' }),
    queries: unit(queries * dim),
    ranked: Array.from({ length: queries }, () => ranked(unit(nodes))),
  }
  const batches = Array.from({ length: steps.warm + steps.measured }, () => [example])
  const dropout = { features: 0.2, attention: 0.1, random }
  let started = process.cpuUsage()
  await trainedOn(
    freshNetwork(dim, 1, 2, 42),
    batches,
    { contrastive: 1, coe: 0.5, tieRule: 'position', rate: 1e-3, dropout },
    (_, index) => {
      if (index === steps.warm - 1) started = process.cpuUsage()
    },
  )
  const { user, system } = process.cpuUsage(started)
  return (user + system) / 1e6 / steps.measured
}

async function documentRow(): Promise<BenchRow> {
  const { stdout } = await promisify(execFile)(process.execPath, [child, '100000'])
  const { seconds, megabytes, chunks, queries: asked } = documentReply.parse(JSON.parse(stdout))
  return {
    name: 'record graph of a document of 100,000 tokens, offline',
    figure: `${seconds.toFixed(1)} s, ${megabytes.toFixed(0)} MB`,
    goal: '< 20 s, < 500 MB',
    met: seconds < 20 && megabytes < 500,
    note: `${chunks} chunks of 256 tokens, ${asked} simulated queries; embeddings by shared words; peak resident memory of the process`,
  }
}

const documentReply = z.object({ seconds: z.number(), megabytes: z.number(), chunks: z.number(), queries: z.number() })

const milliseconds = (duration: number): string => `${(duration * 1000).toFixed(1)} ms`
