/**
 * The results of several calls, in order, once all of them have ended: one still under way when another fails would be missing from
 * what the failure is said to have cost. Throws the first failure in order.
 */
export async function allDone<T extends readonly unknown[] | []>(
  calls: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(calls)
  return Promise.all(calls)
}
