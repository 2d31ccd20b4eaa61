import { isObject } from '../../basics/plain-data.ts'
import { defineMethod } from '../../define.ts'
import { messageOf } from '../../errors.ts'
import { chat, chatJson } from '../../tasks/chat.ts'
import type { EmbedRole, Models, Passage } from '../../types.ts'
import { startChild, type Reply } from './child.ts'
import { commandOptions, type CommandOptions, environmentOf, programFiles } from './program.ts'
import { startServer } from './server.ts'
import { describe } from '../../text/validation-errors.ts'

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
    models.signal?.addEventListener('abort', () => void program.end())
    try {
      const request = { index: { chunks, options: options.options } }
      const reply = await program.ask(request, models, 'document', (fields) => fields)
      if (reply['answers'] === true && !options.answers)
        throw new Error(
          'the program says that it answers questions itself: set answers: true in the config, which marks its row',
        )
      const { concurrency = 1, stats, warnings = {} } = reply
      const textById = new Map(chunks.map(({ id, text }) => [id, text]))
      return {
        concurrency: concurrency as number,
        hasEnded: program.ended,
        close: program.end,
        ...(stats !== undefined && { stats: () => stats as Record<string, string> }),
        warnings: () => warnings as Record<string, number>,
        retrieve(question, budget, scope) {
          const request = { retrieve: { question, budget, seed: seedOf(scope) } }
          return program.ask(request, scope, 'query', ({ passages }) => passagesOf(passages, textById))
        },
        ...(options.answers && {
          answer(question, passages, scope) {
            const context = passages.map(({ text }) => text)
            const request = { answer: { question, context, seed: seedOf(scope) } }
            return program.ask(request, scope, 'query', ({ answer }) => textOf(answer))
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

function textOf(answer: unknown): string {
  if (typeof answer === 'string') return answer
  throw new Error('it replied without an "answer" that is a text')
}

async function startProgram({ run, folder, env }: CommandOptions) {
  const server = await startServer()
  let last = 0
  try {
    const child = startChild(run, { folder, env: environmentOf(env, server) })
    return {
      ended: child.hasEnded,
      end: async (): Promise<void> => {
        await child.end()
        await server.close()
      },
      /**
       * The reply to a request; model calls in between are attributed to it. Errors have the end of the error stream.
       */
      async ask<T>(request: object, models: Models, role: EmbedRole, read: (reply: Reply) => T): Promise<T> {
        const id = ++last
        const baseUrl = server.begin(id, { models, role })
        const line = { id, ...request, baseUrl }
        const reply = await child.ask(line, models.signal).finally(() => server.end(id))
        try {
          return read(reply)
        } catch (error) {
          throw child.blame(messageOf(error))
        }
      },
    }
  } catch (error) {
    // an argument may contain a null byte
    await server.close()
    throw error
  }
}

/** The passages of a reply: `{ chunk }` is a whole chunk, a missing score 1 / rank. The run validates what is left. */
function passagesOf(passages: unknown, textById: ReadonlyMap<string, string>): readonly Passage[] {
  if (!Array.isArray(passages))
    throw new Error(`it replied with passages that are ${describe(passages)}, not with a list`)
  return (passages as readonly unknown[]).map((passage, rank) => {
    const { chunk: id, ...fields } = isObject(passage) ? passage : {}
    const chunk = typeof id === 'string' && { text: textById.get(id) ?? '', from: [id] }
    return { kind: 'chunk', score: 1 / (rank + 1), ...fields, ...chunk } as Passage
  })
}
