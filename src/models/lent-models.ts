import type { Models } from '../types.ts'

/** Gives models to a function as long as it runs, and waits for its calls; `slip` is told of what it did otherwise. */
export async function lendModels<T>(
  models: Models,
  doing: string,
  work: (lent: Models) => Promise<T>,
  slip: (line: string) => void = () => undefined,
): Promise<T> {
  const underWay = new Set<Promise<unknown>>()
  let isOver = false
  const refuse = (): void => {
    if (!isOver) return
    const line = `the models of ${doing} were asked after it had returned: await every call before it returns; every function is given models of its own`
    slip(line)
    throw new Error(line)
  }
  const call = async <R>(make: () => Promise<R>): Promise<R> => {
    refuse()
    const made = make()
    underWay.add(made)
    try {
      return await made
    } finally {
      underWay.delete(made)
    }
  }
  const { rerank } = models
  const lent: Models = {
    ...models,
    run: (task, input) => call(() => models.run(task, input)),
    embed: (texts, role) => call(() => models.embed(texts, role)),
    embedTokens: (text, layer) => call(() => models.embedTokens(text, layer)),
    ...(rerank && { rerank: (question: string, texts: readonly string[]) => call(() => rerank(question, texts)) }),
    random() {
      refuse()
      return models.random()
    },
    seed(usual) {
      refuse()
      return models.seed(usual)
    },
  }
  try {
    const made = await work(lent)
    if (underWay.size > 0) slip(returnedEarly(doing, underWay.size))
    return made
  } finally {
    isOver = true
    await Promise.allSettled(underWay)
  }
}

const returnedEarly = (doing: string, calls: number): string =>
  `${doing} returned while ${calls === 1 ? 'a call to models was' : `${calls} calls to models were`} under way: await every call before it returns`
