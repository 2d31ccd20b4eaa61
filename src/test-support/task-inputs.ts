/** Options of a run, or of a conversation: they are the same in many prompts. */
const options = new Set(['style', 'entityTypes', 'criterion', 'roles'])

/** An input of a task: its sample with the same text in place of every one but options. */
export function inputWith(sample: unknown, text: string): unknown {
  if (typeof sample === 'string') return text
  if (Array.isArray(sample)) return sample.map((item) => inputWith(item, text))
  if (typeof sample !== 'object' || sample === null) return sample
  const entries = Object.entries(sample)
  return Object.fromEntries(entries.map(([key, part]) => [key, options.has(key) ? part : inputWith(part, text)]))
}
