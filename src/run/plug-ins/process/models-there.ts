import { readSync, writeSync } from 'node:fs'
import { ModelError } from '../../../errors.ts'
import { askedOf, type AskedTask } from '../../../models/index.ts'
import type { Models, Relevance, Task } from '../../../types.ts'
import { atOnceFd, type AtOnce, type ModelCall, type ModelReply, type RenderedTask, type Request } from './messages.ts'

/** A task that was asked, and what was read of its replies: only the number of a value leaves this process. */
interface Asked extends AskedTask {
  readonly values: unknown[]
}

interface Waiting {
  resolve(value: unknown): void
  reject(error: unknown): void
  readonly madeAt: Error
}

type Tell = (call: { readonly call: number; readonly of: number } & ModelCall) => void

/** The models as a process of a plug-in has them: `tell` brings its calls to the process that started it. */
export function modelsOfProcess(tell: Tell) {
  const waiting = new Map<number, Waiting>()
  const tasks = new Map<number, Asked>()
  const errors = new WeakMap<object, number>()
  let last = 0
  const call = (of: number, made: ModelCall): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const number = ++last
      waiting.set(number, { resolve, reject, madeAt: new Error('made here') })
      tell({ call: number, of, ...made })
    })
  const run = async <I, T>(of: number, task: Task<I, T>, input: I): Promise<T> => {
    const { standIn, read, halves: _, ...rendered } = askedOf(task, input)
    const number = ++last
    const values: unknown[] = []
    tasks.set(number, { ...rendered, read, values, ...(standIn && { standIn }) })
    const sent: RenderedTask = { ...rendered, number, stands: standIn !== undefined }
    try {
      return values[(await call(of, { ask: 'run', task: sent })) as number] as T
    } finally {
      tasks.delete(number)
    }
  }
  return {
    of: ({ id: request, reranks }: Pick<Request, 'id' | 'reranks'>): Models => ({
      run: (task, input) => run(request, task, input),
      embed: async (texts, role) =>
        texts.length === 0
          ? []
          : ((await call(request, { ask: 'embed', texts: [...texts], role })) as readonly Float32Array[]),
      embedTokens: async (text, layer) =>
        (await call(request, { ask: 'embedTokens', text, layer })) as readonly Float32Array[],
      ...(reranks && {
        rerank: async (question: string, texts: readonly string[]) =>
          texts.length === 0
            ? []
            : ((await call(request, { ask: 'rerank', question, texts: [...texts] })) as readonly Relevance[]),
      }),
      tokenIds: (text) => askAtOnce({ of: request, ask: 'tokenIds', given: text }) as readonly number[],
      countTokens: (text) => askAtOnce({ of: request, ask: 'countTokens', given: text }) as number,
      random: () => askAtOnce({ of: request, ask: 'random' }) as number,
      seed: (usual) => askAtOnce({ of: request, ask: 'seed', given: usual }) as number,
      get replies() {
        return askAtOnce({ of: request, ask: 'replies' }) as NonNullable<Models['replies']>
      },
    }),
    /** Takes what came of a call. */
    take({ call: number, value, error }: ModelReply): void {
      const made = waiting.get(number)
      waiting.delete(number)
      if (!error) {
        made?.resolve(value)
        return
      }
      const { message, model } = error
      const thrown = model
        ? new ModelError(model.kind, message, model.raw === undefined ? {} : { raw: model.raw })
        : new Error(message)
      // its place is that of the call
      if (made?.madeAt.stack !== undefined) thrown.stack = made.madeAt.stack
      if (error.number !== undefined) errors.set(thrown, error.number)
      made?.reject(thrown)
    },
    /** A task that was rendered for a call. */
    task(number: number): Asked {
      const asked = tasks.get(number)
      if (!asked) throw new Error(`no task ${number} is asked`)
      return asked
    },
    /** The number of an error of a call to models; undefined for any other. */
    numberOf: (error: unknown): number | undefined =>
      typeof error === 'object' && error !== null ? errors.get(error) : undefined,
  }
}

/** Asks the process that started this one, and waits for its line. Throws Error with what it says has failed. */
function askAtOnce(question: AtOnce): unknown {
  writeSync(atOnceFd, `${JSON.stringify(question)}\n`)
  const parts: Buffer[] = []
  for (;;) {
    const block = Buffer.alloc(1 << 16)
    const length = readSync(atOnceFd, block)
    if (length === 0) throw new Error('the run has ended')
    parts.push(block.subarray(0, length))
    if (block[length - 1] === 10) break
  }
  const { value, error } = JSON.parse(Buffer.concat(parts).toString()) as { value?: unknown; error?: string }
  if (error !== undefined) throw new Error(error)
  return value
}
