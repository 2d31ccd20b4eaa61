/** A call that is refused, with the status of HTTP and one sentence. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** A value that asks for nothing: absent, null, false, or an empty list. */
export const isUnset = (value: unknown): boolean =>
  value === undefined || value === null || value === false || (Array.isArray(value) && value.length === 0)

/** Throws Refusal for a field that is neither read nor fixed by the config. */
export function refuseOthers(body: Readonly<Record<string, unknown>>, known: readonly string[]): void {
  const other = Object.keys(body).find((field) => !known.includes(field) && !isUnset(body[field]))
  if (other !== undefined) throw new Refusal(400, `"${other}" is not possible here: leave it out`)
}
