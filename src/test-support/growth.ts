/**
 * Whether `fourfold`, with four times the work of `once`, takes more than twelve times the processor time, and what
 * both take; the best of several tries counts.
 */
export function growth(
  once: () => void,
  fourfold: () => void,
): { readonly isSuperlinear: boolean; readonly message: string } {
  let [short, long] = [milliseconds(once), milliseconds(fourfold)]
  const exceeds = () => long > 12 * Math.max(short, 1)
  // what is too slow stays so; the first reading counts where later ones are remembered
  for (let again = 0; again < 5 && exceeds(); again++) {
    short = Math.max(short, milliseconds(once))
    long = Math.min(long, milliseconds(fourfold))
  }
  return { isSuperlinear: exceeds(), message: `${short.toFixed(1)} ms, then ${long.toFixed(1)} ms` }
}

/** Processor time of this process: what other processes do meanwhile does not count. */
function milliseconds(work: () => void): number {
  const start = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}
