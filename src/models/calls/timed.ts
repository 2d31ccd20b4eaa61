/** What a call gave and how long it took, in milliseconds to the hundredth. */
export async function timed<T>(call: () => Promise<T>): Promise<{ value: T; milliseconds: number }> {
  const started = performance.now()
  const value = await call()
  return { value, milliseconds: Math.round((performance.now() - started) * 100) / 100 }
}
