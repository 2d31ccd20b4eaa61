import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { tinyProject } from '../../src/test-support/tiny.ts'
import { fuzzKey } from './mutate.ts'

const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))

/** What a process ended with; `code` is null where a signal ended it. */
export interface Ended {
  readonly code: number | null
  readonly text: string
}

/** A run of `dist/cli.js` in a process of its own. */
interface Started {
  readonly process: ChildProcess
  readonly ended: Promise<Ended>
}

/** A chat server on this computer whose reply is made of the question alone. */
interface ReplyServer {
  readonly url: string
  /** Holds all replies from now on, and gives the function that lets them go. */
  hold(): () => void
}

/** Starts that server; every reply takes some time. */
async function replyServer(milliseconds: number): Promise<ReplyServer> {
  let waiting: ServerResponse[] | undefined
  const answer = (response: ServerResponse, text: string): void => {
    const message = { role: 'assistant', content: text }
    const usage = { prompt_tokens: 9, completion_tokens: 2 }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ choices: [{ index: 0, finish_reason: 'stop', message }], usage }))
  }
  const texts = new Map<ServerResponse, string>()
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (part) => (body += String(part)))
    request.on('end', () => {
      const text = `It was ${body.length}.`
      texts.set(response, text)
      if (waiting) waiting.push(response)
      else setTimeout(() => answer(response, text), milliseconds)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    hold() {
      waiting = []
      return () => {
        for (const response of waiting ?? []) answer(response, texts.get(response) ?? '')
        waiting = undefined
      }
    },
  }
}

/** A folder with a config that asks this server; a key goes with every request. */
export const serverProject = ({ url }: ReplyServer): Promise<string> =>
  tinyProject({
    models: {
      complete: { use: 'openai', model: 'm', baseUrl: url, apiKey: '${FUZZ_KEY}', concurrency: 2, retries: 0 },
      ...{ embed: 'fake', judge: 'extractive' },
    },
    ...{
      methods: ['closed-book', 'random', 'bm25', 'vector'],
      scorers: ['accuracy', 'retrieval', 'faithfulness'],
      repeats: 2,
    },
  })

/** A server whose replies take that long, and what an undisturbed run leaves after so many milliseconds. */
export async function undisturbed(replyMilliseconds: number) {
  const server = await replyServer(replyMilliseconds)
  const project = await serverProject(server)
  const begun = performance.now()
  const ended = await startRun(project).ended
  const milliseconds = performance.now() - begun
  if (ended.code !== 0) throw new Error(`an undisturbed run fails: ${ended.text}`)
  return { server, milliseconds, oracle: resultsOf(project) }
}

/** Starts the run of a project. */
export function startRun(project: string): Started {
  if (!existsSync(cli)) throw new Error('dist/cli.js is not there: npm run build')
  const env = { ...process.env, FUZZ_KEY: fuzzKey, NO_COLOR: '1', GEMBENCH_CACHE: join(project, 'cache') }
  const child = spawn(process.execPath, [cli, 'run', '-c', 'tiny.yaml', '--quiet'], { cwd: project, env })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (text += String(part)))
  return { process: child, ended: once(child, 'close').then(([code]) => ({ code: code as number | null, text })) }
}

/** What a finished run leaves, by file, without what tells of the time and the machine. */
function resultsOf(project: string): Readonly<Record<string, string>> {
  const [name = ''] = readdirSync(join(project, 'results'))
  const folder = join(project, 'results', name)
  const tables = ['table.csv', 'usage.csv', 'table.tex', 'table.json']
  const files = ['manifest.json', 'trials.jsonl', 'passages.jsonl', 'scores.jsonl', ...tables]
  return Object.fromEntries(files.map((file) => [file, timeless(readFileSync(join(folder, file), 'utf8'))]))
}

const timeless = (text: string): string =>
  text
    .replace(
      /\s*"(?:cached|newTexts|newEmbeddedTokens|milliseconds|seconds|started|finished|baseUrl|meter|manifest)": ?[^\n]*/g,
      '',
    )
    // a field that is absent leaves no comma
    .replaceAll(/,$/gm, '')
    .replaceAll(/gembench-tiny-\w+/g, '')

/** Files below a folder that hold the key. */
const filesWithKey = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name))
    .filter((file) => readFileSync(file).includes(fuzzKey))

/** What is wrong with what processes said and left: a stack, a key, other results than those of an undisturbed run. */
export function leftFault(
  project: string,
  ended: readonly Ended[],
  oracle: Readonly<Record<string, string>>,
): string | undefined {
  const texts = ended.map(({ text }) => text).join('\n')
  if (/^\s+at .*:\d+:\d+\)?$/m.test(texts)) return `a stack: ${texts.slice(0, 1000)}`
  const leaks = [...filesWithKey(project), ...(texts.includes(fuzzKey) ? ['the output'] : [])]
  if (leaks.length > 0) return `the key is in ${leaks.join(', ')}`
  const found = resultsOf(project)
  const differing = Object.keys(oracle).filter((file) => found[file] !== oracle[file])
  return differing.length > 0 ? `other results than those of an undisturbed run: ${differing.join(', ')}` : undefined
}
