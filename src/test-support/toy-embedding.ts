import { mulberry32 } from '../math/random.ts'

/**
 * The embedder of the golden vectors (meta.embedder): unit vectors of 64 numbers. Each is the sum of a vector for each
 * distinct word of four or more letters or digits.
 */
export function toyEmbedding(text: string): Float64Array {
  const lower = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
  const words = new Set((lower.match(/[a-z0-9]+/g) ?? []).filter((word) => word.length >= 4))
  const vector = new Float64Array(64)
  for (const word of words) {
    let seed = 2166136261
    for (const byte of Buffer.from(word)) seed = Math.imul(seed ^ byte, 16777619)
    const random = mulberry32(seed >>> 0)
    for (let place = 0; place < 64; place++) vector[place] = (vector[place] ?? 0) + 2 * random() - 1
  }
  if (words.size === 0) vector[0] = 1
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))
  return vector.map((value) => value / length)
}
