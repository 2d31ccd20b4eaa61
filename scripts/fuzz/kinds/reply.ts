import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { z } from 'zod'
import { defineTask } from '../../../src/define.ts'
import { messageOf, ModelError } from '../../../src/errors.ts'
import { createUsageCounter, openModels } from '../../../src/models/index.ts'
import { tokenizer } from '../../../src/text/tokens.ts'
import { usual, type Kind, type Random, type Verdict } from '../kind.ts'
import { fuzzKey, mutateBytes, mutateJson, mutateText, pick, oddTexts } from '../mutate.ts'
const chatReply = (content: string): object => ({
  id: 'chat-1',
  object: 'chat.completion',
  model: 'm',
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }],
  usage: { prompt_tokens: 11, completion_tokens: 3, total_tokens: 14 },
})

const bodies: Readonly<Record<string, readonly object[]>> = {
  text: [chatReply('The mill.'), { error: { message: `bad key ${fuzzKey}`, code: 'invalid_api_key' } }],
  json: [chatReply('["a", "b"]'), chatReply('```json\n["a"]\n```'), chatReply('{"items": ["a", {"b": 1}]}')],
  embed: [
    {
      data: [0, 1].map((index) => ({ object: 'embedding', index, embedding: [0.5, -1, 2] })),
      usage: { prompt_tokens: 5 },
    },
    {
      data: [0, 1].map((index) => ({
        index,
        embedding: Buffer.from(new Float32Array([1, 2]).buffer).toString('base64'),
      })),
    },
  ],
}

const say = defineTask({
  name: 'say',
  version: 1,
  reply: 'text',
  prompt: () => ({ messages: [{ role: 'user', content: 'Who?' }] }),
  output: z.string(),
})
const list = defineTask({
  name: 'list',
  version: 1,
  reply: 'json',
  prompt: () => ({ messages: [{ role: 'user', content: 'List.' }] }),
  output: z.array(z.string()),
})

/** What a server sends gives a valid reply or a ModelError of one line; no other server gets the key. */
const reply: Kind = {
  ...usual,
  name: 'reply',
  async open() {
    let bytes: Uint8Array = new Uint8Array()
    let otherServerInput = ''
    const otherServer = await listen((socket) =>
      socket.on('data', (data) => (otherServerInput += data.toString('latin1'))),
    )
    const server = await listen((socket) => socket.once('data', () => socket.end(bytes)))
    const openClient = () => {
      const options = { model: 'm', baseUrl: `http://127.0.0.1:${portOf(server)}/v1`, apiKey: fuzzKey, retries: 0 }
      const request = { use: 'openai', options: { ...options, timeoutSeconds: 5, headers: { 'x-team': fuzzKey } } }
      const context = {
        cache: null,
        tokenizer: tokenizer('o200k_base'),
        cacheFolder: '',
        signal: new AbortController().signal,
      }
      return openModels({ complete: request, embed: request, judge: request }, context)
    }
    return {
      make(random) {
        const of = pick(Object.keys(bodies), random)
        return { of, bytes: response(pick(bodies[of] ?? [], random), portOf(otherServer), random) }
      },
      async attempt(mutant) {
        bytes = mutant.bytes
        otherServerInput = ''
        const models = await openClient()
        try {
          const verdict = await sendRequest(mutant.of, models)
          if (otherServerInput.includes(fuzzKey)) return { fault: 'another server got the key' }
          return verdict
        } finally {
          await models.close()
        }
      },
    }
  },
}
export default reply

async function sendRequest(of: string, models: Awaited<ReturnType<typeof openModels>>): Promise<Verdict> {
  const scope = models.scope({ phase: 'answer', sample: 0, seed: [1], counter: createUsageCounter() })
  try {
    if (of === 'embed') {
      const vectors = await scope.embed(['one', 'two'], 'document')
      const areVectors =
        vectors.length === 2 && vectors.every((vector) => vector.length > 0 && vector.every(Number.isFinite))
      return areVectors ? { outcome: 'vectors' } : { fault: 'the vectors are not two lists of finite numbers' }
    }
    const value: unknown = of === 'json' ? await scope.run(list, undefined) : await scope.run(say, undefined)
    const valid = (of === 'json' ? list.output : say.output).safeParse(value).success
    return valid ? { outcome: 'reply' } : { fault: `the reply is ${JSON.stringify(value)}` }
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    if (error.message !== messageOf(error)) return { fault: `a message of several lines: ${error.message}` }
    const text = `${error.message} ${error.stack ?? ''} ${String((error.cause as Error | undefined)?.stack)} ${error.raw ?? ''}`
    return text.includes(fuzzKey)
      ? { fault: `the key is in the error: ${error.message}` }
      : { outcome: `ModelError ${error.kind}` }
  }
}

const listen = (take: (socket: Socket) => void): Promise<Server> =>
  new Promise((resolve) => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined)
      take(socket)
    })
    server.listen(0, '127.0.0.1', () => resolve(server))
  })

const portOf = (server: Server): number => (server.address() as AddressInfo).port

const oddStatuses =
  '204 No Content|206 P|301 M|307 T|400 B|401 U|404 N|408 T|429 T|500 E|503 S|000 x|999 y|100 Continue'
const statuses = ['200 OK', '200 OK', '200 OK', ...oddStatuses.split('|')]
const oddTypes = 'text/html|text/event-stream|text/plain; charset=x|multipart/mixed||application/json; charset=utf-16'
const types = ['application/json', 'application/json', ...oddTypes.split('|')]

/** A response over the wire: its body, head or bytes damaged. */
function response(value: object, otherPort: number, random: Random): Uint8Array {
  const way = random()
  const original = JSON.stringify(value)
  const body = Buffer.from(way < 0.4 ? mutateJson(value, random) : way < 0.6 ? mutateText(original, random) : original)
  const odd = way >= 0.6 && way < 0.8
  const headers = [
    `HTTP/1.1 ${odd ? pick(statuses, random) : '200 OK'}`,
    `content-type: ${odd ? pick(types, random) : 'application/json'}`,
    ...(odd && random() < 0.3
      ? [pick(['transfer-encoding: chunked', 'content-encoding: gzip', 'content-encoding: br'], random)]
      : []),
    ...(odd && random() < 0.3 ? [`location: http://127.0.0.1:${otherPort}/v1/chat/completions`] : []),
    ...(odd && random() < 0.2
      ? [`retry-after: ${pick(oddTexts, random).slice(0, 50)}`, `x-a: ${'b'.repeat(20_000)}`]
      : []),
    `content-length: ${odd && random() < 0.3 ? pick(['0', '1', '1000000', '-1', 'x', '1e3'], random) : body.length}`,
    ...['connection: close', '', ''],
  ]
  const wire = Buffer.concat([Buffer.from(headers.join('\r\n'), 'latin1'), body])
  return way >= 0.8 ? mutateBytes(wire, random) : wire
}
