/** A request. `hasSecrets`: its headers hold a key, so it is never redirected to another server. */
export interface HttpRequest {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
  readonly signal?: AbortSignal | undefined
  readonly hasSecrets: boolean
}

export interface HttpReply<Body> {
  readonly status: number
  readonly headers: Headers
  readonly body: Body
}

/** A failed exchange; `remedy`: what to do where every request would fail alike. */
export class HttpFault extends Error {
  override readonly name = 'HttpFault'
  readonly remedy: string | undefined
  constructor(message: string, remedy?: string) {
    super(message)
    this.remedy = remedy
  }
}

/** Describes an HTML page that came in place of data; undefined for other texts. */
export function htmlPage(text: string): string | undefined {
  if (!/^\s*(?:<!doctype html|<html)/i.test(text.slice(0, 1000))) return undefined
  const title = /<title[^<>]*>([^<]*)/i.exec(text.slice(0, 20_000))?.[1]?.replaceAll(/\s+/g, ' ').trim()
  return title ? `an HTML page ("${title.slice(0, 80)}")` : 'an HTML page'
}
