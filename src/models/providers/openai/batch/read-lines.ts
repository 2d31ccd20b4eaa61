import { z } from 'zod'
import { CallError } from '../../../calls/retry.ts'

/** What came of one request of a batch: the body of its reply, or its error. */
export type LineOutcome = { readonly body: unknown } | { readonly error: Error }

/** Makes the error of a reply with that status, as the client library would. */
export type StatusError = (status: number, body: object | undefined) => Error

const line = z.object({
  custom_id: z.string(),
  response: z.object({ status_code: z.number(), body: z.unknown() }).nullish(),
  error: z.object({ code: z.string().nullish(), message: z.string().nullish() }).nullish(),
})

/** The outcomes in an output or error file of a batch, by request. A line that cannot be read is as none. */
export function readLines(text: string, errorOf: StatusError): ReadonlyMap<string, LineOutcome> {
  const outcomes = new Map<string, LineOutcome>()
  for (const one of text.split('\n')) {
    const read = line.safeParse(parsed(one))
    if (read.success) outcomes.set(read.data.custom_id, outcomeOf(read.data, errorOf))
  }
  return outcomes
}

function outcomeOf({ response, error }: z.output<typeof line>, errorOf: StatusError): LineOutcome {
  if (response && response.status_code >= 200 && response.status_code < 300) return { body: response.body }
  if (response) {
    const { status_code: status, body } = response
    return { error: errorOf(status, typeof body === 'object' && body !== null ? body : undefined) }
  }
  const { code, message } = error ?? {}
  return {
    error: new CallError(
      'server',
      `the batch did not answer this request: ${message ?? code ?? 'no reason is given'}`,
      {
        // whoever cancels a batch does not want it
        retryable: code !== 'batch_cancelled',
      },
    ),
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
