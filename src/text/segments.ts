/**
 * The segments of a text, in order. Reads by windows, since `Intl.Segmenter` is quadratic in Node 20. `uncertain`:
 * trailing segments of a window that depend on the text after it.
 */
export function* segmentsOf(text: string, segmenter: Intl.Segmenter, uncertain = 1): Generator<string> {
  let from = 0
  let size = windowSize
  while (from < text.length) {
    const window = text.slice(from, from + size)
    const segments = Array.from(segmenter.segment(window), ({ segment }) => segment)
    const isLast = from + size >= text.length
    const certain = isLast ? segments : segments.slice(0, -uncertain)
    yield* certain
    from += certain.reduce((sum, segment) => sum + segment.length, 0)
    size = certain.length === 0 ? size * 2 : windowSize
  }
}

const windowSize = 2048
