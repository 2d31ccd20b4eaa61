/** From values to places of an axis. */
export interface Scale {
  readonly place: (value: number) => number
  readonly ticks: readonly number[]
}

/** A linear scale whose ticks are 1, 2 or 5 times a power of ten. */
export function linear(low: number, high: number, from: number, to: number, most = 6): Scale {
  const span = high - low || 1
  const step = niceStep(span / most)
  const [first, last] = [Math.floor(low / step), Math.ceil(high / step)]
  const [least, range] = [first * step, (last - first) * step || step]
  return {
    place: (value) => from + ((value - least) / range) * (to - from),
    ticks: Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12))),
  }
}

/** A logarithmic scale for values above 0. */
export function logarithmic(low: number, high: number, from: number, to: number): Scale {
  const ticks: number[] = []
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++)
    for (const digit of [1, 2, 5]) ticks.push(Number((digit * 10 ** power).toPrecision(1)))
  const least = Math.max(...ticks.filter((tick) => tick <= low))
  const greatest = Math.min(...ticks.filter((tick) => tick >= high && tick > least))
  const span = Math.log(greatest / least)
  return {
    place: (value) => from + (Math.log(value / least) / span) * (to - from),
    ticks: ticks.filter((tick) => tick >= least && tick <= greatest),
  }
}

function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least))
  return ([1, 2, 5].find((digit) => digit * power >= least * 0.999) ?? 10) * power
}
