import { cos, log } from './portable.ts'

/** A stream of numbers uniform in [0, 1): mulberry32, Tommy Ettinger's generator with 32 bits of state. */
export function mulberry32(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + increment) >>> 0
    return mix(state) / 2 ** 32
  }
}

/** Zeros with the given probability, else ones, by the same generator from a seed that `random` draws. */
export function randomMask(length: number, share: number, random: () => number): Uint8Array {
  const mask = new Uint8Array(length)
  const threshold = share * 2 ** 32
  let state = Math.floor(random() * 2 ** 32) | 0
  for (let at = 0; at < length; at++) {
    state = (state + increment) | 0
    mask[at] = Number(mix(state) >= threshold)
  }
  return mask
}

/** A standard normal number (Box and Muller). */
export const normal = (random: () => number): number => Math.sqrt(-2 * log(1 - random())) * cos(2 * Math.PI * random())

const increment = 0x6d2b79f5

function mix(state: number): number {
  let bits = Math.imul(state ^ (state >>> 15), state | 1)
  bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61)
  return (bits ^ (bits >>> 14)) >>> 0
}

/** A 32-bit seed: FNV-1a over the code points of the parts and their ends, so ('a', 'bc') and ('ab', 'c') differ. */
export function seedFrom(...parts: readonly (string | number)[]): number {
  let hash = 0x811c9dc5
  const take = (byte: number) => (hash = Math.imul(hash ^ byte, 0x01000193))
  for (const part of parts) {
    for (const unit of String(part)) {
      const code = unit.codePointAt(0)!
      take(code & 0xff)
      take((code >>> 8) & 0xff)
      take(code >>> 16)
    }
    // a terminator: no code point has this third byte
    take(0xff)
  }
  return hash >>> 0
}

/** The items in a random order (Fisher and Yates); the input stays as it is. */
export const shuffle = <T>(items: readonly T[], random: () => number): T[] => sample(items, items.length, random)

/** Up to `size` items without replacement, in the order drawn. */
export function sample<T>(items: readonly T[], size: number, random: () => number): T[] {
  const rest = items.slice()
  const count = Math.min(Math.max(0, size), rest.length)
  for (let i = 0; i < count; i++) {
    const j = i + Math.floor(random() * (rest.length - i))
    const item = rest[j]!
    rest[j] = rest[i]!
    rest[i] = item
  }
  return rest.slice(0, count)
}
