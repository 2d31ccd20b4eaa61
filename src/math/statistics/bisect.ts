/** Where `isBelow`, true at 0 and false from some x > 0 on, ends: found by doubling from 1 and 64 halvings. */
export function bisect(isBelow: (x: number) => boolean): number {
  let [low, high] = [0, 1]
  while (isBelow(high)) high *= 2
  for (let step = 0; step < 64; step++) {
    const middle = (low + high) / 2
    if (isBelow(middle)) low = middle
    else high = middle
  }
  return (low + high) / 2
}
