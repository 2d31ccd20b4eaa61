import { readFile, stat } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { dirname, join } from 'node:path'
import { messageOf } from '../errors.ts'
import { openRun } from '../run/open-run.ts'
import { renderReport, type ReportSettings } from './report.ts'

type PageSettings = Pick<ReportSettings, 'texts' | 'results'>

/** Seconds after which a browser loads the page again while a run goes on. */
const refreshSeconds = 10

/**
 * Serves the report of runs on a random port of the loopback interface, until the server is closed. It answers GET and
 * HEAD for the pages of the report and its graph pages alone, and writes nothing. A request builds the report anew if a
 * results file has changed. Throws UserError as `report` does.
 */
export async function serveReport(
  runs: readonly string[],
  settings: PageSettings,
): Promise<{ readonly server: Server; readonly address: string }> {
  let pages = await buildPages(runs, settings)
  const freshPages = async (): Promise<Pages> => {
    if ((await stateOf(pages.folders)) !== pages.state) pages = await buildPages(runs, settings)
    return pages
  }
  const server = createServer((request, response) => void reply(request, response, server, freshPages))
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve))
  return { server, address: `http://127.0.0.1:${portOf(server)}/` }
}

const portOf = (server: Server): number => {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return address.port
}

async function reply(
  { method = '', url = '', headers }: IncomingMessage,
  response: ServerResponse,
  server: Server,
  pages: () => Promise<Pages>,
): Promise<void> {
  const send = (status: number, text: string, more: Readonly<Record<string, string>> = {}): void => {
    const type = status === 200 ? 'text/html' : 'text/plain'
    response.writeHead(status, { ...commonHeaders, 'content-type': `${type}; charset=utf-8`, ...more })
    response.end(method === 'HEAD' ? undefined : text)
  }
  try {
    const port = portOf(server)
    // a name that another site lets point here would give it access
    if (![`127.0.0.1:${port}`, `localhost:${port}`].includes(headers.host ?? '')) {
      send(403, 'only for this computer')
      return
    }
    if (method !== 'GET' && method !== 'HEAD') {
      send(405, 'read-only', { allow: 'GET, HEAD' })
      return
    }
    const { texts, isRunning } = await pages()
    const { pathname } = new URL(url, 'http://localhost')
    const page = texts.get(pathname === '/' ? '/index.html' : pathname)
    if (page === undefined) send(404, 'no such page')
    else send(200, await page(), isRunning ? { refresh: `${refreshSeconds}` } : {})
  } catch (error) {
    send(500, messageOf(error))
  }
}

const commonHeaders = {
  'cache-control': 'no-store',
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}

type Pages = Awaited<ReturnType<typeof buildPages>>

/** Texts of pages by path, and the state of the results files before they were read. */
async function buildPages(names: readonly string[], settings: PageSettings) {
  const results = []
  for (const name of names) results.push((await openRun(name, settings)).results)
  const folders = results.flatMap(({ folder, runs = [] }) => [folder, ...runs.map((run) => run.folder)])
  const state = await stateOf(folders)
  const root = dirname(folders[0] ?? '.')
  const { page, runs } = await renderReport(names, join(root, 'index.html'), settings)
  const texts = new Map<string, () => string | Promise<string>>(
    page.files.map(({ name, text }) => [`/${name}`, () => text]),
  )
  for (const { address } of runs.flatMap((run) => run.graphs))
    texts.set(`/${address}`, () => readFile(join(root, decodeURIComponent(address)), 'utf8'))
  return { texts, folders, state, isRunning: runs.some(({ manifest }) => manifest.finished === null) }
}

async function stateOf(folders: readonly string[]): Promise<string> {
  const files = folders.flatMap((folder) =>
    ['manifest.json', 'trials.jsonl', 'scores.jsonl'].map((name) => join(folder, name)),
  )
  const states = files.map(async (file) => {
    const { size, mtimeMs } = await stat(file).catch(() => ({ size: 0, mtimeMs: 0 }))
    return `${size} ${mtimeMs}`
  })
  return (await Promise.all(states)).join('\n')
}
