import { fakeServer } from '../../src/test-support/server.ts'

const slow = await fakeServer({ latencyMs: Number(process.argv[2] ?? 0) })
const fast = await fakeServer()
process.stdout.write(`${slow.url} ${fast.url}\n`)
