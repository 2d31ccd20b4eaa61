import type { BatchPath } from './batch/batch-files.ts'

/** Sends the body of one request and gives what came back, unchecked. Throws what the client library throws, or CallError. */
export type Post = (path: BatchPath, body: object, call: PostedCall) => Promise<unknown>

/** `sample`: the repeat of equal calls, which tells them apart where their bodies are the same. */
export interface PostedCall {
  readonly signal: AbortSignal
  readonly sample: number
}
