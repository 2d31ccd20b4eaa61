import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { fakeServer, type FakeServer, type FakeServerOptions } from '../test-support/servers/server.ts'
import { tinyProject } from '../test-support/tiny.ts'
import { gembenchWith } from '../test-support/cli.ts'

/** Where each stands in the config: key, header, part of the address, field of the body. */
const keys = { API: 'sk-Api/Key+77==', GATE: 'gate_Word_4711', PATH_KEY: 'path-Key-0815', FIELD: 'field"Key\\99' }

const servers: FakeServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

async function serve(behave?: FakeServerOptions['behave']): Promise<FakeServer> {
  const server = await fakeServer({ ...(behave && { behave }) })
  servers.push(server)
  return server
}

const gembench = async (cwd: string, ...args: readonly string[]): Promise<{ code: number; out: string }> => {
  const { code, out, err } = await gembenchWith(keys)(cwd, ...args)
  return { code, out: out + err }
}

const modelAt = (url: string): Record<string, unknown> => ({
  use: 'openai',
  model: 'm-${GATE}',
  baseUrl: `${url}/\${PATH_KEY}`,
  apiKey: '${API}',
  headers: { 'x-gate': 'Bearer ${GATE}', 'x-basic': `Basic ${Buffer.from('me:pass-Word-123').toString('base64')}` },
  body: { field: '${FIELD}' },
  retries: 0,
})

/** All that a request brought, in every way that a server may repeat it. */
function echoOf(hit: unknown): string {
  const texts = [...Object.values(keys), 'pass-Word-123', JSON.stringify(hit)]
  return texts
    .flatMap((text) => [
      ...[text, encodeURIComponent(text), JSON.stringify(text), JSON.stringify(JSON.stringify(text))],
      ...[Buffer.from(text).toString('base64'), Buffer.from(`x${text}`).toString('base64url')],
    ])
    .join(' ; ')
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

/** Pieces that no encoding of the tests leaves out by chance. */
const pieces = [
  ...Object.values(keys),
  'pass-Word-123',
  'Word_4711',
  'Key-0815',
  'Key+77',
  'Key%2B77',
  'Word-123',
].flatMap((key) => [key, encodeURIComponent(key), Buffer.from(key).toString('base64').slice(0, -3)])

async function leaks(project: string, output: string): Promise<string[]> {
  const files = (await filesBelow(project)).filter((file) => !file.endsWith('tiny.yaml'))
  const texts = await Promise.all(files.map(async (file) => [file, await readFile(file, 'latin1')] as const))
  return [...texts, ['screen', output] as const].flatMap(([where, text]) =>
    pieces.filter((piece) => text.includes(piece)).map((piece) => `${where}: ${piece}`),
  )
}

test('sends keys in address, body, headers and model to their server only', async () => {
  const server = await serve((hit, index) =>
    hit.path.endsWith('/embeddings')
      ? undefined
      : index % 3 === 0
        ? { status: 400, error: { message: echoOf(hit) } }
        : { reply: echoOf(hit) },
  )
  const project = await tinyProject({
    methods: ['bm25', 'vector'],
    models: { complete: modelAt(server.url), embed: modelAt(server.url) },
  })
  const result = await gembench(project, 'run', '-c', 'tiny.yaml', '--json')
  const { folder } = JSON.parse(result.out) as { folder: string }
  const output = [
    result,
    await gembench(project, 'table', folder),
    await gembench(project, 'query', '-c', 'tiny.yaml', '--method', 'bm25', 'Who built the mill?'),
    await gembench(project, 'graph', '-c', 'tiny.yaml', '--set', 'methods=[gem-rag]', '--format', 'json'),
  ]
  expect(await leaks(project, output.map(({ out }) => out).join('\n'))).toEqual([])
  expect(server.hits.length).toBeGreaterThan(6)
  for (const { path, headers, body } of server.hits) {
    expect(path).toContain(`/v1/${keys.PATH_KEY}/`)
    expect(headers).toMatchObject({ authorization: `Bearer ${keys.API}`, 'x-gate': `Bearer ${keys.GATE}` })
    expect(body).toMatchObject({ field: keys.FIELD, model: `m-${keys.GATE}` })
  }
  const manifest = JSON.parse(await readFile(join(project, folder, 'manifest.json'), 'utf8')) as Record<string, unknown>
  expect(manifest['models']).toMatchObject({
    complete: {
      model: 'm-${GATE}',
      baseUrl: `${server.url}/\${PATH_KEY}`,
      parameters: { body: { field: '${FIELD}' } },
    },
  })
  expect(await readFile(join(project, folder, 'trials.jsonl'), 'utf8')).toContain('${GATE}')
})

test.each([301, 302, 307, 308])('does not follow a redirect (%i) to another address', async (status) => {
  const otherServer = await serve()
  const server = await serve((hit) => ({ status, headers: { location: `${otherServer.url}${hit.path}` } }))
  const project = await tinyProject({ methods: ['bm25'], models: { complete: modelAt(server.url), embed: 'fake' } })
  const result = await gembench(project, 'run', '-c', 'tiny.yaml')
  expect(result.code).toBe(2)
  expect(server.hits.length).toBeGreaterThan(0)
  expect(otherServer.hits).toEqual([])
  expect(await leaks(project, result.out)).toEqual([])
})
