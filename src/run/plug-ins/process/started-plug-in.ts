import { itemAt } from '../../../basics/collections.ts'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { packageFolder } from '../../../basics/files.ts'
import { cutBytes, ModelError, messageOf, PlugInError, UserError } from '../../../errors.ts'
import { startChild, type Child } from '../../../methods/command/child.ts'
import { taskElsewhere } from '../../../models/index.ts'
import { plain } from '../../../text/characters.ts'
import type { Models } from '../../../types.ts'
import { shownPath } from '../import-plug-in.ts'
import { callPlugIn, keepKind, reportError } from '../../calls/call-plug-in.ts'
import type { AtOnce, Failure, FileKind, ModelCall, ModelFailure, ModelReply, Said, Work } from './messages.ts'

/** A process of a plug-in in a file. */
export type StartedPlugIn = ReturnType<typeof startPlugIn>

/**
 * The command line of a program of this package beside an address; from sources by tsx, or where GEMBENCH_BUILT is set,
 * as in the tests, what was built of it.
 */
export const programOf = (beside: string, name: string): readonly string[] => {
  if (!beside.endsWith('.ts')) return [process.execPath, fileURLToPath(new URL(`${name}.js`, beside))]
  if (process.env['GEMBENCH_BUILT'] !== undefined) return [process.execPath, join(packageFolder, 'dist', `${name}.js`)]
  const tsx = pathToFileURL(createRequire(beside).resolve('tsx')).href
  return [process.execPath, '--import', tsx, fileURLToPath(new URL(`${name}.ts`, beside))]
}

/** The command line of a process of a plug-in. */
export const plugInCommand = programOf(import.meta.url, 'plug-in-process')

/** Starts a process of its own for the plug-in of that kind in a file, which loads it first. */
export function startPlugIn(file: string, kind: FileKind) {
  // the models of what is over refuse calls, and say why: those of the first function stay, and of the last ones
  const lent = new Map<number, Models>()
  const over: number[] = []
  const errors: unknown[] = []
  let last = 0
  const child: Child = startChild(plugInCommand, {
    name: shownPath(file),
    folder: process.cwd(),
    env: process.env,
    messages: {
      receive: (said, send) => void receive(said as Said, send),
      atOnce: (line) => JSON.stringify(atOnce(line)),
    },
  })
  const modelsOf = (id: number): Models => {
    const models = lent.get(id)
    if (!models) throw new Error('no function that is given models is under way')
    return models
  }
  const receive = async (said: Said, send: (message: object) => void): Promise<void> => {
    if ('late' in said) reportError(plain(cutBytes(said.late, longestLate)))
    if (!('ask' in said)) return
    const { call, of } = said
    const asked = async (): Promise<unknown> => made(said, modelsOf(of))
    const reply = await asked().then(
      (value): ModelReply => ({ call, value }),
      (error: unknown): ModelReply => ({ call, error: failureOf(error, errors) }),
    )
    send(reply)
  }
  const made = (asked: ModelCall, models: Models): Promise<unknown> => {
    switch (asked.ask) {
      case 'embed':
        return models.embed(asked.texts, asked.role)
      case 'embedTokens':
        return models.embedTokens(asked.text, asked.layer)
      case 'rerank':
        if (!models.rerank) throw new Error('the config names no rerank model')
        return models.rerank(asked.question, asked.texts)
      case 'run': {
        const { number, stands, ...task } = asked.task
        const standIn = async (): Promise<string> => {
          try {
            return (await ask({ op: 'standIn', task: number })) as string
          } catch (error) {
            throw error instanceof PlugInError ? new ModelError('reply', error.message) : error
          }
        }
        const read = async (reply: string) => (await ask({ op: 'read', task: number, reply })) as { error: string }
        return models.run(taskElsewhere({ ...task, read, ...(stands && { standIn }) }), undefined)
      }
    }
  }
  const atOnce = (line: string): { readonly value: unknown } | { readonly error: string } => {
    try {
      const { of, ask: asked, given } = JSON.parse(line) as AtOnce
      const models = modelsOf(of)
      if (asked === 'random') return { value: models.random() }
      if (asked === 'replies') return { value: models.replies }
      if (asked === 'seed') return { value: models.seed(Number(given)) }
      return { value: models[asked](String(given)) }
    } catch (error) {
      return { error: messageOf(error) }
    }
  }
  const ask = async (work: Work, signal?: AbortSignal, models?: Models): Promise<unknown> => {
    const id = ++last
    if (models) lent.set(id, models)
    try {
      const said = (await child.ask({ ...work, id, ...(models?.rerank && { reranks: true }) }, signal)) as Said
      if ('error' in said) throw thrown(said.error, errors)
      return 'value' in said ? said.value : undefined
    } finally {
      if (models && over.push(id) > mostOver) lent.delete(itemAt(over.splice(1, 1), 0))
    }
  }
  const ready = callPlugIn(loading, (signal) => ask({ op: 'load', file, kind }, signal)).catch(
    async (error: unknown) => {
      await child.end()
      throw error
    },
  )
  ready.catch(() => undefined)
  return {
    /** Resolves when the file is loaded. Throws as `ask` does, and Error where it takes too long. */
    ready,
    /** Whether it has ended and failed a request. */
    ended: child.ended,
    end: child.end,
    /** Has something done; a raised signal ends the process. Throws PlugInError, errors of `models`, and Error. */
    async ask(work: Work, models?: Models): Promise<unknown> {
      await ready
      return ask(work, models?.signal, models)
    },
  }
}

/** Functions that are over, and whose models are still known. */
const mostOver = 100

/** Bytes of what is said of an error outside every call. */
const longestLate = 2000

const loading = { doing: 'loading it', seconds: 60, limit: 'the limit of loading a file' }

function failureOf(error: unknown, errors: unknown[]): ModelFailure {
  const message = error instanceof Error ? error.message : String(error)
  // one without a kind is thrown anew there, and told with its place
  if (error instanceof Error && error.name === 'Error') return { message }
  const number = errors.push(error) - 1
  if (!(error instanceof ModelError)) return { number, message }
  const { kind, raw } = error
  return { number, message, model: { kind, ...(raw !== undefined && { raw }) } }
}

/** What a process says has failed, as an error that keeps its kind. */
function thrown({ message, error, mend }: Failure, errors: readonly unknown[]): unknown {
  if (error !== undefined) return keepKind(errors[error])
  return keepKind(mend ? new UserError(message) : new PlugInError(message))
}
