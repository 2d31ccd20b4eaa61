import { percentile } from '../math/statistics/descriptive.ts'
import { cosine } from '../math/vectors.ts'
import { sentences } from '../text/sentences.ts'

/** What is embedded of a text to find where its subject changes: each sentence with the one before and after it. */
export function sentenceWindows(text: string): readonly string[] {
  const all = sentences(text)
  return all.length < 2
    ? []
    : all.map(({ start, end }, at) => text.slice(all[at - 1]?.start ?? start, all[at + 1]?.end ?? end))
}

/**
 * Where the subject of a text changes, as offsets: after the sentences whose distance to the next, 1 − cosine of their
 * windows' vectors, lies above the percentile of all such distances of the text (Kamradt, 5 Levels of Text Splitting,
 * level 4; window of 1 sentence to either side). `vectors`: one of each window of `sentenceWindows`.
 */
export function subjectChanges(text: string, vectors: readonly Float32Array[], percent: number): readonly number[] {
  const distances = vectors.slice(1).map((vector, at) => 1 - cosine(vectors[at] ?? vector, vector))
  if (distances.length === 0) return []
  const limit = percentile(distances, percent)
  return sentences(text).flatMap(({ end }, at) => ((distances[at] ?? -Infinity) > limit ? [end] : []))
}
