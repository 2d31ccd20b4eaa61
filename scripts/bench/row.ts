/** A line of the benchmark table: a figure beside its goal. `met` is null where there is nothing to compare with. */
export interface BenchRow {
  readonly name: string
  readonly figure: string
  readonly goal: string
  readonly met: boolean | null
  readonly note?: string
}

/** Seconds that some work takes. */
export async function seconds(work: () => unknown): Promise<number> {
  const started = performance.now()
  await work()
  return (performance.now() - started) / 1000
}

/** The smallest of several measurements: what else the machine does only ever adds. */
export async function best(times: number, work: () => unknown): Promise<number> {
  let least = Infinity
  for (let time = 0; time < times; time++) least = Math.min(least, await seconds(work))
  return least
}
