import { defineMethod } from '../../define.ts'
import { messageOf } from '../../errors.ts'
import { chat, chatJson } from '../../tasks/chat.ts'
import type { EmbedRole, Models, Chunk, Passage } from '../../types.ts'
import { startChild, type Child, type Reply } from './child.ts'
import { commandOptions, type CommandOptions, environmentOf, programFiles } from './program.ts'
import { startServer } from './server.ts'
import { describe } from '../../text/validation-errors.ts'

/** A method in any language: a program that is asked by lines of JSON (README.md). One process for each index. */
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
      const reply = await program.ask({ index: { chunks, options: options.options } }, models, 'document')
      if (reply['answers'] === true && !options.answers)
        throw new Error(
          'the program says that it answers questions itself: set answers: true in the config, which marks its row',
        )
      const { concurrency = 1, stats, warnings = {} } = reply
      const known = new Map(chunks.map((chunk) => [chunk.id, chunk]))
      return {
        concurrency: concurrency as number,
        hasEnded: program.ended,
        close: program.end,
        ...(stats !== undefined && { stats: () => stats as Record<string, string> }),
        warnings: () => warnings as Record<string, number>,
        async retrieve(question, budget, asking) {
          const found = await program.ask({ retrieve: { question, budget, seed: seedOf(asking) } }, asking, 'query')
          return program.checked(() => passagesOf(found['passages'], known))
        },
        ...(options.answers && {
          async answer(question, passages, asking) {
            const context = passages.map(({ text }) => text)
            const said = await program.ask({ answer: { question, context, seed: seedOf(asking) } }, asking, 'query')
            return program.checked(() => textOf(said['answer']))
          },
        }),
      }
    } catch (error) {
      await program.end()
      throw error
    }
  },
})

/** The same for a request that is made again, because its process has ended. */
const seedOf = (models: Models): number => models.seed(42)

function textOf(answer: unknown): string {
  if (typeof answer === 'string') return answer
  throw new Error('it replied without an "answer" that is a text')
}

/** A program with the server that its calls to models go to. */
async function startProgram({ run, folder, env }: CommandOptions) {
  const server = await startServer()
  let child: Child
  try {
    child = startChild(run, { folder, env: environmentOf(env, server) })
  } catch (error) {
    // an argument may hold what no system takes
    await server.close()
    throw error
  }
  let last = 0
  return {
    ended: child.ended,
    end: async (): Promise<void> => {
      await child.end()
      await server.close()
    },
    /** Sends a request and gives the reply; calls to models meanwhile count to it. */
    async ask(request: object, models: Models, role: EmbedRole): Promise<Reply> {
      const id = ++last
      const baseUrl = server.begin(id, { models, role })
      try {
        const line = { id, ...request, baseUrl }
        return await child.ask(line, models.signal)
      } finally {
        server.end(id)
      }
    },
    /** What is made of a reply; an error of it has the last lines of the error stream. */
    checked<T>(read: () => T): T {
      try {
        return read()
      } catch (error) {
        throw child.blame(messageOf(error))
      }
    },
  }
}

/**
 * A list of passages as a program gives it: `{ chunk, score }` stands for a whole chunk, and a passage without a score
 * gets one by its rank. The rest is left to the checks of a ranking. Throws Error for what is no list, and for unknown
 * chunks.
 */
function passagesOf(given: unknown, chunks: ReadonlyMap<string, Chunk>): readonly Passage[] {
  if (!Array.isArray(given)) throw new Error(`it replied with passages that are ${describe(given)}, not with a list`)
  return (given as readonly unknown[]).map((passage, rank) => {
    const which = `its passage number ${rank + 1}`
    if (typeof passage !== 'object' || passage === null) throw new Error(`${which} is ${describe(passage)}`)
    const { chunk: id, score = 1 / (rank + 1), ...rest } = passage as Readonly<Record<string, unknown>>
    const named: unknown = id === undefined ? rest['from'] : [id]
    for (const name of Array.isArray(named) ? (named as readonly unknown[]) : [])
      if (typeof name !== 'string' || !chunks.has(name))
        throw new Error(`${which} is made of an unknown chunk ${JSON.stringify(name)}`)
    const chunk = typeof id === 'string' ? chunks.get(id) : undefined
    return { kind: 'chunk', ...rest, ...(chunk && { text: chunk.text, from: [chunk.id] }), score } as Passage
  })
}
