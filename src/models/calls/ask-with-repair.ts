import { ModelError } from '../../errors.ts'
import { withoutReasoning } from '../../text/reasoning.ts'
import type { CallResult, Exchange, Reply } from '../cache/cache.ts'
import type { CompletionRequest } from '../provider.ts'
import type { AskedTask } from './asked-task.ts'
import type { CompletedOnce } from './complete-once.ts'

/**
 * Asks, and asks once more when the reply cannot be read: naming what is wrong with it, or with more room where it
 * ended at its token limit; a list for which there is no more room is asked for in two halves. The whole exchange is
 * what is cached, so that a replay needs no call.
 */
export async function askWithRepair(
  { request, read, halves }: AskedTask,
  complete: (request: CompletionRequest) => Promise<CompletedOnce>,
): Promise<CallResult<Exchange>> {
  const { task } = request
  const replies: Reply[] = []
  let milliseconds = 0
  const ask = async (question: CompletionRequest): Promise<Fault | undefined> => {
    const completed = await complete(question)
    const { reply } = completed
    replies.push(reply)
    milliseconds += completed.milliseconds
    if (reply.finish === 'filter')
      throw new ModelError('refused', `${task}: the server's content filter refused the reply`, { raw: reply.text })
    const value = read(reply.text)
    return 'error' in value ? faultOf(completed, value.error) : undefined
  }
  const result = (failure?: ModelError): CallResult<Exchange> => ({
    entry: { replies, milliseconds },
    ...(failure && { failure }),
  })

  try {
    const first = await ask(request)
    if (!first) return result()
    const second = first.remedy ? await ask({ ...request, ...first.remedy }) : first
    if (!second) return result()
    const tries = first.remedy ? 'two replies could not be read; the second' : 'the reply could not be read'
    const message = `${task}: ${tries}: ${second.error}`
    const parts = second.remedy ? undefined : halves?.()
    if (!parts) return result(new ModelError('reply', message, { raw: second.text }))
    for (const prompt of parts.prompts) {
      const half = await ask({ ...request, prompt })
      if (half) return result(new ModelError('reply', `${message}; of one half: ${half.error}`, { raw: half.text }))
    }
    return { entry: { replies, halved: true, milliseconds } }
  } catch (error) {
    if (error instanceof ModelError) return result(error)
    throw error
  }
}

/** A reply that cannot be read, and what to add to the request; no remedy where no limit larger than its own exists. */
interface Fault {
  readonly text: string
  readonly error: string
  readonly remedy?: Pick<CompletionRequest, 'repair' | 'more'>
}

function faultOf({ reply: { text, finish }, limit, longest }: CompletedOnce, error: string): Fault {
  if (finish !== 'length') return { text, error, remedy: { repair: { reply: text, error } } }
  const before = withoutReasoning(text) === '' ? ', before an answer: set a larger maxTokens' : ''
  const cut = { text, error: `it ended at the token limit of ${limit}${before}` }
  return longest > limit ? { ...cut, remedy: { more: longest } } : cut
}
