/** The kinds of plug-ins that `gembench init --new` writes. */
export const plugInKinds = ['method', 'scorer', 'dataset', 'provider'] as const

export type NewKind = (typeof plugInKinds)[number]

/** The files of a new plug-in by their endings: its source, its test, and for a dataset a copy to read. */
export function plugInFiles(kind: NewKind, name: string): Readonly<Record<string, string>> {
  const constant = name.replace(/-+(\w)/g, (_, letter: string) => letter.toUpperCase())
  const fill = (text: string): string => text.replaceAll('PLUG_IN', constant).replaceAll('NAME', name)
  return Object.fromEntries(Object.entries(templates[kind]).map(([ending, text]) => [`${name}${ending}`, fill(text)]))
}

const method = `import { defineMethod, z } from 'gembench'

/** Ranks chunks by the number of words that they share with the question. Replace this by your method. */
export const PLUG_IN = defineMethod({
  name: 'NAME',
  summary: 'Ranks chunks by the number of words that they share with the question.',
  options: z.strictObject({
    shortest: z.int().min(1).default(3).describe('Length of the shortest word that counts.'),
  }),
  // once per corpus; models.run(task, input) and models.embed(texts) are counted as indexing
  async index(chunks, _models, { shortest }) {
    const wordsOf = (text: string): Set<string> =>
      new Set((text.toLowerCase().match(/[\\p{L}\\p{N}]+/gu) ?? []).filter((word) => word.length >= shortest))
    const entries = chunks.map((chunk) => ({ chunk, chunkWords: wordsOf(chunk.text) }))
    return {
      // once per question; its models are another object, valid until it returns and counted as retrieval
      async retrieve(query, budget, _models) {
        const words = [...wordsOf(query.text)]
        return entries
          .map(({ chunk, chunkWords }) => ({
            text: chunk.text,
            score: words.filter((word) => chunkWords.has(word)).length,
            from: [chunk.id],
            kind: 'chunk',
          }))
          .sort((a, b) => b.score - a.score)
          .slice(0, budget.passages)
      },
    }
  },
})
`

const scorer = `import { defineScorer, z } from 'gembench'

/** Whether the answer contains a reference answer. Replace this by your measure. */
export const PLUG_IN = defineScorer({
  name: 'NAME',
  version: 1, // raise it whenever the numbers change
  summary: 'Whether the answer contains a reference answer, ignoring case.',
  source: 'own',
  kinds: ['answer'],
  options: z.strictObject({}),
  columns: [{ metric: 'contained' }],
  // once per answer; numbers from 0 to 1, or { skipped: 'why' } for an answer that cannot be scored
  async score({ question: { reference }, answer }) {
    if (reference.kind !== 'answer') return { skipped: 'the question has no reference answer' }
    const text = answer.text.toLowerCase()
    const isContained = reference.accepted.some((accepted) => text.includes(accepted.text.toLowerCase()))
    return { metrics: { contained: Number(isContained) } }
  },
})
`

const dataset = `import { readFile } from 'node:fs/promises'
import { defineDataset, UserError, z } from 'gembench'

/** Documents and questions of one JSON file. Replace this by your format. */
export const PLUG_IN = defineDataset({
  name: 'NAME',
  summary: 'Documents and questions of one JSON file.',
  source: 'own',
  licence: 'own data',
  evidence: true,
  options: z.strictObject({}),
  // the files that identify the data; UserError for a missing one
  async files(path) {
    await read(path)
    return [path]
  },
  // the same corpora in the same order every time; ids are unique, evidence is quoted from its document
  async *corpora(path) {
    const { documents, questions } = form.parse(JSON.parse(await read(path)))
    yield {
      id: 'all',
      documents,
      questions: questions.map(({ id, text, answer, document, evidence }) => ({
        id,
        text,
        reference: { kind: 'answer', accepted: [{ text: answer }] },
        evidence: [{ documentId: document, text: evidence }],
      })),
    }
  },
})

const question = { id: z.string(), text: z.string(), answer: z.string(), document: z.string(), evidence: z.string() }
const form = z.object({
  documents: z.array(z.object({ id: z.string(), text: z.string() })),
  questions: z.array(z.object(question)),
})

const read = (path: string): Promise<string> =>
  readFile(path, 'utf8').catch(() => {
    throw new UserError(\`\${path}: no such file; name a JSON file with "documents" and "questions"\`)
  })
`

const sample = `{
  "documents": [{ "id": "mill", "text": "The mill was built by Ada in 1871." }],
  "questions": [
    { "id": "q1", "text": "Who built the mill?", "answer": "Ada", "document": "mill", "evidence": "built by Ada" }
  ]
}
`

const provider = `import { defineProvider, z } from 'gembench'

/** Replies with the last line of the prompt. Replace this by calls of your model. */
export const PLUG_IN = defineProvider({
  name: 'NAME',
  summary: 'Replies with the last line of the prompt.',
  can: ['complete'],
  offline: true, // leave it out for a language model
  options: z.strictObject({
    prefix: z.string().default('').describe('Text before every reply.'),
  }),
  // cache, retries, limits and usage are around it; a failed call throws, with retryable: true to be repeated
  async open({ prefix }) {
    return {
      name: 'NAME',
      model: 'last-line',
      parameters: { prefix }, // everything that changes replies, never a key
      async complete({ prompt }, signal) {
        signal.throwIfAborted()
        const lines = (prompt.messages.at(-1)?.content ?? '').trim().split('\\n')
        return { text: \`\${prefix}\${lines.at(-1) ?? ''}\`, finish: 'stop' }
      },
    }
  },
})
`

const testOf = (check: string): string =>
  `// node --import tsx --test NAME.test.ts, or vitest
import { ${check.slice(0, check.indexOf('('))} } from 'gembench/testing'
import { PLUG_IN } from './NAME.ts'

${check}
`

const templates: Readonly<Record<NewKind, Readonly<Record<string, string>>>> = {
  method: { '.ts': method, '.test.ts': testOf('testMethod(PLUG_IN)') },
  scorer: { '.ts': scorer, '.test.ts': testOf('testScorer(PLUG_IN)') },
  dataset: {
    '.ts': dataset,
    '.test.ts': testOf("testDataset(PLUG_IN, { path: new URL('./NAME.json', import.meta.url).pathname })"),
    '.json': sample,
  },
  provider: { '.ts': provider, '.test.ts': testOf('testModel(PLUG_IN)') },
}
