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
 * HEAD for the pages of the report and its graph pages alone, and writes nothing. A request for the main page builds
 * the report anew if a results file has changed. Throws UserError as `report` does.
 */
export async function serveReport(
  runs: readonly string[],
  settings: PageSettings,
): Promise<{ readonly server: Server; readonly address: string }> {
  const pages = reportPages(runs, settings)
  await pages()
  const server = createServer((request, response) => void reply(request, response, server, pages))
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve))
  return { server, address: `http://127.0.0.1:${portOf(server)}/` }
}

const portOf = (server: Server): number => {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return address.port
}

interface Pages {
  /** By path. */
  readonly texts: ReadonlyMap<string, string | (() => Promise<string>)>
  readonly isRunning: boolean
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
    const page = texts.get(new URL(url, 'http://localhost').pathname)
    if (page === undefined) send(404, 'no such page')
    else send(200, typeof page === 'string' ? page : await page(), isRunning ? { refresh: `${refreshSeconds}` } : {})
  } catch (error) {
    send(500, messageOf(error))
  }
}

const commonHeaders = {
  'cache-control': 'no-store',
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}

/** Builds the pages at most once for each state of the results files. */
function reportPages(names: readonly string[], settings: PageSettings): () => Promise<Pages> {
  let cache: { readonly state: string; readonly pages: Promise<Pages> } | undefined
  return async () => {
    const folders = await runFolders(names, settings)
    const state = (await Promise.all(folders.map(stateOf))).join('\n')
    if (cache?.state !== state) {
      const pages = buildPages(names, settings)
      cache = { state, pages }
      // a failure is not kept
      pages.catch(() => (cache = undefined))
    }
    return cache.pages
  }
}

async function runFolders(names: readonly string[], settings: PageSettings): Promise<readonly string[]> {
  const reportedRuns = []
  for (const name of names) reportedRuns.push((await openRun(name, settings)).results)
  return reportedRuns.flatMap(({ folder, runs = [] }) => [folder, ...runs.map((run) => run.folder)])
}

async function stateOf(folder: string): Promise<string> {
  const files = ['manifest.json', 'trials.jsonl', 'scores.jsonl'].map(async (name) => {
    const { size, mtimeMs } = await stat(join(folder, name)).catch(() => ({ size: 0, mtimeMs: 0 }))
    return `${size} ${mtimeMs}`
  })
  return (await Promise.all(files)).join(' ')
}

async function buildPages(names: readonly string[], settings: PageSettings): Promise<Pages> {
  const [first = '.'] = await runFolders(names, settings)
  const root = dirname(first)
  const { page, runs } = await renderReport(names, join(root, 'index.html'), settings)
  const [main, ...parts] = page.files
  const graphs = runs.flatMap((run) => run.graphs)
  return {
    texts: new Map<string, string | (() => Promise<string>)>([
      ['/', main?.text ?? ''],
      ['/index.html', main?.text ?? ''],
      ...parts.map(({ name, text }) => [`/${name}`, text] as const),
      ...graphs.map(
        ({ address }) => [`/${address}`, () => readFile(join(root, decodeURIComponent(address)), 'utf8')] as const,
      ),
    ]),
    isRunning: runs.some(({ manifest }) => manifest.finished === null),
  }
}
