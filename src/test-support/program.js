// A program of the method `command`, as a user would write it. The first argument says what it does wrong.
import { cpSync } from 'node:fs'
import { createInterface } from 'node:readline'

const [, , mode = 'good', of = ''] = process.argv
const words = (text) => new Set(text.toLowerCase().match(/\w+/g) ?? [])
let chunks = []

async function call(baseUrl, path, body, key = process.env.OPENAI_API_KEY) {
  const headers = { authorization: `Bearer ${key}` }
  const response = await fetch(`${baseUrl}/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  const said = await response.text()
  if (response.ok) return JSON.parse(said)
  throw new Error(`${response.status} ${JSON.parse(said).error.message}`)
}

const say = async (baseUrl, content, more = {}) => {
  const { choices } = await call(baseUrl, 'chat/completions', { messages: [{ role: 'user', content }], ...more })
  return choices[0].message.content
}

function ranked({ question, budget }) {
  const asked = words(question.text)
  const shared = ({ text }) => [...words(text)].filter((word) => asked.has(word)).length
  return chunks
    .map((chunk, at) => ({ chunk: chunk.id, at, score: shared(chunk) }))
    .sort((a, b) => b.score - a.score || a.at - b.at)
    .slice(0, budget.passages)
    .map(({ chunk, score }) => ({ chunk, score }))
}

const forever = () => new Promise(() => setInterval(() => undefined, 1000))

async function replyTo({ id, index, retrieve, answer, baseUrl }) {
  const isMeant = retrieve && (of === '' || retrieve.question.id === of)
  if (index) {
    chunks = index.chunks
    if (mode === 'dies-at-index') throw new Error('no memory left')
    if (mode === 'hangs-at-index') await forever()
    if (mode === 'models') {
      await call(baseUrl, 'embeddings', { model: 'any', input: chunks.map(({ text }) => text) })
      const form = { type: 'json_object' }
      return {
        stats: {
          said: await say(baseUrl, 'One. Two. Three.'),
          json: await say(baseUrl, 'x', { response_format: form }),
        },
      }
    }
    if (mode === 'asks-again') await say(baseUrl, 'One. Two. Three.')
    if (mode === 'at-once') return { concurrency: 3 }
    if (mode === 'environment') return { stats: { names: Object.keys(process.env).sort(), folder: process.cwd() } }
    return { warnings: { 'texts that were empty': 2 } }
  }
  if (isMeant && mode === 'asks-again') process.exit(3)
  if (isMeant && mode.startsWith('dies')) {
    console.error('first line\nsecond line\u001B[31m\nkey', process.env.OPENAI_API_KEY, '\n4\n5\n6')
    process.exit(3)
  }
  if (isMeant && mode.startsWith('hangs')) {
    console.error('waiting for nothing')
    await forever()
  }
  if (retrieve && mode === 'copies') cpSync(of, `${of}-seen`, { recursive: true })
  if (isMeant && mode === 'noise') console.log('Loading model 100%')
  if (isMeant && mode === 'says-error') return { error: 'this question is too hard' }
  if (isMeant && mode === 'unknown-chunk') return { passages: [{ chunk: 'no such chunk' }] }
  if (isMeant && mode === 'no-list') return { passages: 7 }
  if (mode === 'at-once' && retrieve && isMeant) process.exit(4)
  if (mode === 'at-once') await new Promise((done) => setTimeout(done, 30))
  if (mode === 'wrong-key') await call(baseUrl, 'embeddings', { input: 'x' }, 'sk-other')
  if (mode === 'models' && retrieve)
    await call(process.env.OPENAI_BASE_URL, 'embeddings', { input: retrieve.question.text })
  if (mode === 'late' && retrieve) await call(baseUrl.replace(/\d+\/v1$/, `${id - 1}/v1`), 'embeddings', { input: 'x' })
  if (answer) return { answer: mode === 'models' ? await say(baseUrl, `${answer.context.length} passages`) : '2' }
  return { passages: ranked(retrieve) }
}

if (mode.endsWith('deaf')) process.on('SIGTERM', () => undefined)
for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line)
  const reply = replyTo(request)
    .then((said) => console.log(JSON.stringify({ id: request.id, ...said })))
    .catch(({ message }) => {
      console.error(message)
      process.exit(1)
    })
  if (mode !== 'at-once') await reply
}
if (mode.endsWith('deaf')) await forever()
