import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { strToU8, zipSync } from 'fflate'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { folderOf } from '../../test-support/dataset-copies/write-files.ts'
import { sha256 } from '../../text/hash.ts'
import type { Download } from '../../types.ts'
import { download, type DownloadProgress } from './download.ts'

const content = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251))
const half = 150_000

/** What the server does with each request in turn; the last one stands for all further ones. */
type Reply = (request: IncomingMessage, response: ServerResponse) => void
let replies: Reply[] = []
let visits: IncomingMessage['headers'][] = []
let folder = ''
const server = createServer((request, response) => {
  visits.push(request.headers)
  const reply = replies.length > 1 ? replies.shift() : replies[0]
  reply?.(request, response)
})
let base = ''

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())
beforeEach(() => {
  visits = []
  folder = folderOf({})
})

const full: Reply = (_, response) =>
  response.writeHead(200, { etag: '"one"', 'content-length': content.length }).end(content)

/** Sends half of the file and hangs up. */
const cut =
  (headers: Readonly<Record<string, string>> = { etag: '"one"' }): Reply =>
  (_, response) => {
    response.writeHead(200, { ...headers, 'content-length': content.length })
    response.write(content.subarray(0, half), () => setTimeout(() => response.destroy(), 50))
  }

/** Gives the rest of a file whose ETag is still `"one"`. */
const rangeReply: Reply = (request, response) => {
  const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1])
  if (Number.isNaN(from) || request.headers['if-range'] !== '"one"') {
    full(request, response)
    return
  }
  const rest = content.subarray(from)
  const range = `bytes ${from}-${content.length - 1}/${content.length}`
  response.writeHead(206, { 'content-range': range, 'content-length': rest.length }).end(rest)
}

const status =
  (code: number, headers: Readonly<Record<string, string>> = {}): Reply =>
  (_, response) =>
    response.writeHead(code, headers).end('no')

const get = (file: Partial<Download['files'][number]> = {}, options: Parameters<typeof download>[2] = {}) =>
  download(
    { name: 'toy', source: 'nowhere', download: { files: [{ url: `${base}/file`, name: 'file.bin', ...file }] } },
    folder,
    { pause: 1, ...options },
  )

const path = (name = 'file.bin'): string => join(folder, name)
const isWhole = (name?: string): boolean => readFileSync(path(name)).equals(content)

test('downloads a file, reports progress and leaves no other file', async () => {
  replies = [full]
  const warnings: DownloadProgress[] = []
  const results = await get({ sha256: sha256(content) }, { onProgress: (progress) => warnings.push(progress) })
  expect(results).toEqual([{ path: path(), sha256: sha256(content), status: 'downloaded', members: [] }])
  expect(isWhole()).toBe(true)
  expect(readdirSync(folder)).toEqual(['file.bin'])
  expect(warnings[0]).toEqual({ file: 'file.bin', bytes: 0, total: 300_000 })
  expect(warnings.at(-1)).toEqual({ file: 'file.bin', bytes: 300_000, total: 300_000 })
  expect(warnings.map(({ bytes }) => bytes)).toEqual(warnings.map(({ bytes }) => bytes).sort((a, b) => a - b))
})

test('continues after a broken connection', async () => {
  replies = [cut(), rangeReply]
  const warnings: DownloadProgress[] = []
  await get({}, { onProgress: (progress) => warnings.push(progress) })
  expect(isWhole()).toBe(true)
  expect(visits[1]?.range).toMatch(/^bytes=[1-9]\d*-$/)
  expect(warnings.filter(({ bytes }) => bytes === 0)).toHaveLength(1)
  expect(readdirSync(folder)).toEqual(['file.bin'])
})

test('continues a partial file in a later call', async () => {
  replies = [cut(), status(503)]
  await expect(get()).rejects.toThrow('(5 attempts); run the command again to continue')
  const cachedCalls = readFileSync(path('file.bin.part')).length
  expect(cachedCalls).toBeGreaterThan(0)
  replies = [rangeReply]
  await get()
  expect(isWhole()).toBe(true)
  expect(visits.at(-1)?.range).toBe(`bytes=${cachedCalls}-`)
})

test('stops without a retry when aborted', async () => {
  replies = [cut()]
  const controller = new AbortController()
  const onProgress = () => controller.abort(new Error('called off'))
  await expect(get({}, { signal: controller.signal, onProgress })).rejects.toThrow('called off')
  expect(visits).toHaveLength(1)
})

test.each<[string, Reply[]]>([
  ['the server knows no ranges', [cut(), full]],
  ['the file has changed meanwhile', [cut({ etag: '"old"' }), rangeReply]],
  ['only a weak tag vouches for it', [cut({ etag: 'W/"one"' }), rangeReply]],
  ['nothing vouches for it', [cut({}), rangeReply]],
  ['the server has no such range', [cut(), status(416), full]],
  ['the server sends another range', [cut(), status(206, { 'content-range': 'bytes 7-8/300000' }), full]],
])('starts over if %s', async (_, script) => {
  replies = script
  await get()
  expect(isWhole()).toBe(true)
})

test('tries a busy server five times', async () => {
  replies = [status(503), status(429), full]
  await get()
  expect(isWhole()).toBe(true)
  replies = [status(503)]
  visits = []
  await expect(get({ name: 'other.bin' })).rejects.toThrow(`${base}/file: HTTP 503 (5 attempts)`)
  expect(visits).toHaveLength(5)
})

test('requests a missing file once', async () => {
  replies = [status(404)]
  await expect(get()).rejects.toThrow(`${base}/file: HTTP 404 Not Found; look for the file at the dataset's source`)
  expect(visits).toHaveLength(1)
  expect(readdirSync(folder)).toEqual([])
})

test('reports a server that does not answer', async () => {
  await expect(get({ url: 'http://127.0.0.1:1/file' })).rejects.toThrow(/127\.0\.0\.1:1\/file: .+ \(5 attempts\)/)
})

test('removes a download with the wrong digest', async () => {
  replies = [full]
  const expected = sha256('something else')
  await expect(get({ sha256: expected })).rejects.toThrow(
    `removed a download with SHA-256 ${sha256(content)}, expected ${expected}`,
  )
  expect(readdirSync(folder)).toEqual([])
})

test('does not overwrite a complete file with another digest', async () => {
  replies = [full]
  writeFileSync(path(), 'mine')
  await expect(get({ sha256: sha256(content) })).rejects.toThrow('move it away and run the command again')
  expect(readFileSync(path(), 'utf8')).toBe('mine')
  expect(visits).toHaveLength(0)
})

test('keeps a hostile file name inside the folder', async () => {
  replies = [full]
  expect((await get({ name: '../../evil name.bin' }))[0]?.path).toBe(path('evil_name.bin'))
  expect(readdirSync(folder)).toEqual(['evil_name.bin'])
})

test('unpacks members, and unpacks an existing archive again without a request', async () => {
  const zip = Buffer.from(zipSync({ 'data/a.json': strToU8('1'), 'b.json': strToU8('2') }))
  replies = [(_, response) => response.end(zip)]
  const file = { name: 'data.zip', unpack: { format: 'zip', members: ['a.json'] } } as const
  expect((await get(file))[0]?.members).toEqual([path('a.json')])
  expect(readdirSync(folder)).toEqual(['a.json', 'data.zip'])
  expect((await get(file))[0]).toMatchObject({ status: 'present', members: [path('a.json')] })
  expect(visits).toHaveLength(1)
})

test('a dataset without a download names the page to visit', async () => {
  await expect(download({ name: 'toy', source: 'https://a.org' }, folder)).rejects.toThrow('get it from https://a.org')
})
