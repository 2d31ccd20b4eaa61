import { ModelError } from '../../errors.ts'
import { withoutReasoning } from '../../text/reasoning.ts'
import type { CallResult, Exchange, Reply } from '../cache/cache.ts'
import type { CompletionRequest } from '../provider.ts'
import type { TaskCall } from './task-call.ts'
import type { LimitedCompletion } from './complete-once.ts'

/**
 * Requests a reply, and once more if it is unreadable: with the error, or with a higher limit if it ended at its token
 * limit; at the highest limit a list is requested in two halves. The cache stores the whole exchange.
 */
export async function askWithRepair(
  { request, read, halves }: TaskCall,
  complete: (request: CompletionRequest) => Promise<LimitedCompletion>,
): Promise<CallResult<Exchange>> {
  const { task } = request
  const replies: Reply[] = []
  let milliseconds = 0
  const ask = async (question: CompletionRequest): Promise<Fault | undefined> => {
    const completion = await complete(question)
    const { reply } = completion
    replies.push(reply)
    milliseconds += completion.milliseconds
    if (reply.finish === 'filter')
      throw new ModelError('refused', `${task}: the content filter of the server refused the reply`, {
        raw: reply.text,
      })
    const value = read(reply.text)
    return 'error' in value ? faultOf(completion, value.error) : undefined
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

/** An unreadable reply, and the change of the request that may help. */
interface Fault {
  readonly text: string
  readonly error: string
  readonly remedy?: Pick<CompletionRequest, 'repair' | 'more'>
}

function faultOf({ reply: { text, finish }, limit, longest }: LimitedCompletion, error: string): Fault {
  if (finish !== 'length') return { text, error, remedy: { repair: { reply: text, error } } }
  const before = withoutReasoning(text) === '' ? ', before an answer: set a larger maxTokens' : ''
  const cut = { text, error: `it ended at the token limit of ${limit}${before}` }
  return longest > limit ? { ...cut, remedy: { more: longest } } : cut
}
