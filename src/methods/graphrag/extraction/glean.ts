/**
 * A first reply and up to `gleanings` more in the same chat; from the second on, more is asked for only where `wanted` says so (section
 * 2.2: 2g calls at g gleanings). Undefined where a call at any step is of no use: then the text yields nothing.
 */
export async function glean<R>(
  gleanings: number,
  ask: (before: readonly R[]) => Promise<R | undefined>,
  wanted: (before: readonly R[]) => Promise<boolean | undefined>,
): Promise<readonly R[] | undefined> {
  const replies: R[] = []
  for (let gleaning = 0; gleaning <= gleanings; gleaning++) {
    if (gleaning > 1) {
      const more = await wanted([...replies])
      if (more === undefined) return undefined
      if (!more) break
    }
    const reply = await ask([...replies])
    if (reply === undefined) return undefined
    replies.push(reply)
  }
  return replies
}
