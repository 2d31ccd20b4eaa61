/** A mistake that a person can mend: shown as one line without a stack, exit code 2. */
export class UserError extends Error {
  override readonly name = 'UserError'
}

/** A call to a model that failed for good. `raw` is the reply that could not be used. */
export class ModelError extends Error {
  override readonly name = 'ModelError'
  readonly kind: ModelErrorKind
  readonly raw?: string
  constructor(kind: ModelErrorKind, message: string, options: ErrorOptions & { raw?: string } = {}) {
    super(message, options)
    this.kind = kind
    if (options.raw !== undefined) this.raw = options.raw
  }
}

/** `reply`: the text could not be read; `window`: too long for the model; `refused`: content filter or no such ability; `server`, `network`, `timeout`: the call. */
export type ModelErrorKind = 'reply' | 'window' | 'refused' | 'server' | 'network' | 'timeout'

/** What went wrong, in one line, whatever was thrown. */
export function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ').trim()
}
