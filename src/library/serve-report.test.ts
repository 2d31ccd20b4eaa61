import { request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { folderOf } from '../test-support/dataset-copies/write-files.ts'
import { writeRun } from '../test-support/fake-run.ts'
import { serveReport } from './serve-report.ts'

let served: Awaited<ReturnType<typeof serveReport>>
beforeAll(async () => {
  const run = await writeRun(folderOf({}), { rows: { bm25: { a: 1 }, vector: { a: 0 } } })
  served = await serveReport([run], {})
})
afterAll(() => served.server.close())

const ask = (path: string, { method = 'GET', host }: { method?: string; host?: string } = {}) =>
  new Promise<{ readonly status: number | undefined; readonly text: string }>((resolve, reject) => {
    const sent = request(new URL(path, served.address), { method, ...(host && { headers: { host } }) }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => (text += part))
      response.on('end', () => resolve({ status: response.statusCode, text }))
    })
    sent.on('error', reject).end()
  })

test('serves the page on loopback, on a port of its own', async () => {
  expect(served.address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/)
  const { status, text } = await ask('/')
  expect(status).toBe(200)
  expect(text).toContain('<!doctype html>')
})

test('refuses other hosts, other methods and other files', async () => {
  expect((await ask('/', { host: 'example.org' })).status).toBe(403)
  expect((await ask('/', { method: 'POST' })).status).toBe(405)
  for (const path of ['/trials.jsonl', '/../manifest.json', '/%2e%2e/manifest.json'])
    expect((await ask(path)).status).toBe(404)
})
