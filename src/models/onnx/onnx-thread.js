// Runs one ONNX model, batch after batch. Threads of the runtime spin for 20 µs only: other processes need the cores.
import { createRequire } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'

const { env, InferenceSession, Tensor } = createRequire(import.meta.url)(workerData.runtime)
// one thread and no relaxed SIMD: sums have one order
if (workerData.isPortable) Object.assign(env.wasm, { numThreads: 1, proxy: false })
const opening = InferenceSession.create(workerData.graph, {
  externalData: [{ path: 'weights', data: workerData.weights }],
  intraOpNumThreads: workerData.threads,
  extra: { session: { force_spinning_stop: '1', intra_op: { spin_duration_us: '20' } } },
  logSeverityLevel: 3,
  ...(workerData.isPortable && { executionProviders: ['wasm'] }),
})
// the runtime has a copy
delete workerData.weights

let previous = send(opening.then(() => new Float32Array()))
let isStopped = false
parentPort.on('message', (message) => {
  isStopped ||= message === 'stop'
  previous = send(
    previous.then(() => {
      if (message === 'stop') return new Float32Array()
      if (isStopped) throw new Error('the model is closed')
      return run(message)
    }),
  )
})

async function run({ ids, mask, rows, length, output }) {
  const session = await opening
  const tensor = (data) => new Tensor('int64', data, [rows, length])
  const results = await session.run({ input_ids: tensor(ids), attention_mask: tensor(mask) }, [output])
  return results[output].data.slice()
}

function send(result) {
  return result.then(
    (numbers) => parentPort.postMessage({ numbers }, [numbers.buffer]),
    (error) => parentPort.postMessage({ error: String(error?.message ?? error) }),
  )
}
