import { isObject } from '../../basics/plain-data.ts'
import { defineMethod } from '../../define.ts'
import { chat, chatJson } from '../../tasks/chat.ts'
import type { EmbedRole, Models, Passage } from '../../types.ts'
import { startChild } from './child.ts'
import { commandOptions, type CommandOptions, environmentOf, programFiles } from './program.ts'
import { startServer } from './server.ts'

/** A method in any language: a program that answers requests as lines of JSON (README.md). One process per index. */
export const command = defineMethod({
  name: 'command',
  summary:
    'Asks a program of your own, in any language, by lines of JSON; its calls to models are counted as those of every method.',
  options: commandOptions,
  tasks: [chat, chatJson()],
  answers: ({ answers }) => answers,
  program: programFiles,
  async index(chunks, models, options) {
    const program = await startProgram(options)
    try {
      const request = { index: { chunks, options: options.options } }
      const { concurrency = 1, stats, warnings = {} } = await program.ask(request, models, 'document')
      const textById = new Map(chunks.map(({ id, text }) => [id, text]))
      return {
        concurrency: concurrency as number,
        hasEnded: program.hasEnded,
        close: program.end,
        ...(stats !== undefined && { stats: () => stats as Record<string, string> }),
        warnings: () => warnings as Record<string, number>,
        async retrieve(question, budget, scope) {
          const request = { retrieve: { question, budget, seed: seedOf(scope) } }
          const { passages } = await program.ask(request, scope, 'query')
          return passagesOf(passages, textById)
        },
        ...(options.answers && {
          async answer(question, passages, scope) {
            const context = passages.map(({ text }) => text)
            const { answer } = await program.ask({ answer: { question, context, seed: seedOf(scope) } }, scope, 'query')
            return answer as string
          },
        }),
      }
    } catch (error) {
      await program.end()
      throw error
    }
  },
})

/** A repeated request, after its process ended, gets the same seed. */
const seedOf = (models: Models): number => models.seed(42)

/** The process of a program, and the server of its models. */
async function startProgram({ run, folder, env }: CommandOptions) {
  const server = await startServer()
  const child = startChild(run, { folder, env: environmentOf(env, server) })
  let last = 0
  return {
    hasEnded: child.hasEnded,
    end: async (): Promise<void> => {
      await child.end()
      await server.close()
    },
    /** The reply to a request; model calls in between are attributed to it. */
    async ask(request: object, models: Models, role: EmbedRole) {
      const id = ++last
      const baseUrl = server.begin(id, { models, role })
      const line = { id, ...request, baseUrl }
      return child.ask(line, models.signal).finally(() => server.end(id))
    },
  }
}

/** The passages of a reply: `{ chunk }` is a whole chunk, a missing score 1 / rank. The run validates them. */
function passagesOf(passages: unknown, textById: ReadonlyMap<string, string>): readonly Passage[] {
  if (!Array.isArray(passages)) return passages as readonly Passage[]
  return (passages as readonly unknown[]).map((passage, rank) => {
    const { chunk: id, ...fields } = isObject(passage) ? passage : {}
    const chunk = typeof id === 'string' && { text: textById.get(id) ?? '', from: [id] }
    return { kind: 'chunk', score: 1 / (rank + 1), ...fields, ...chunk } as Passage
  })
}
