import type { Provider } from '../provider.ts'

/** What a call of a provider gave and how long it took, in milliseconds to the hundredth; 0 where calls are collected, which is mostly waiting. */
export async function timed<T>(
  { collects }: Pick<Provider, 'collects'>,
  call: () => Promise<T>,
): Promise<{ value: T; milliseconds: number }> {
  const started = performance.now()
  const value = await call()
  return { value, milliseconds: collects ? 0 : Math.round((performance.now() - started) * 100) / 100 }
}
