import { objectsIn, parseLenient } from '../text/json.ts'
import { parseVerdict, verdictPattern } from '../text/verdict.ts'

/** A verdict that stands in a reply; undefined for one that is neither 1 nor 0. */
interface GivenVerdict {
  readonly verdict: 0 | 1 | undefined
  readonly reason: string
  /** Whether the reply calls it its last word. */
  readonly isFinal: boolean
}

/** Reads the one verdict of a judge's reply, of JSON or of words; of several that differ, the one called final. */
export function readVerdictReply(reply: string) {
  const given = inObjects(reply) ?? inWords(reply)
  if ('error' in given) return given
  const last = given.at(-1)
  if (!last) return { error: reply === '' ? 'the reply is empty' : 'the reply gives no verdict' }
  if (!last.isFinal && given.some(({ verdict }) => verdict !== last.verdict))
    return { error: 'the reply gives several verdicts and calls none of them final' }
  const { verdict, reason } = last
  return verdict === undefined
    ? { error: 'the verdict is neither 1 nor 0' }
    : { value: { reason, verdict }, skipped: 0 }
}

/** The verdicts of all JSON objects; undefined where there are none, an error where JSON is broken. */
function inObjects(reply: string): readonly GivenVerdict[] | { readonly error: string } | undefined {
  if (!reply.includes('{')) return undefined
  let end = 0
  const given = objectsIn(reply).flatMap(({ object, start, end: next }) => {
    const before = reply.slice(end, start)
    end = next
    return verdictOf(object, before)
  })
  if (given.length > 0) return given
  const parsed = parseLenient(reply, 'object')
  if (parsed.outcome === 'failed') return { error: parsed.reason }
  if (parsed.outcome === 'repaired' && parsed.lossy) return { error: 'a part of the reply is missing' }
  return verdictOf(Object(parsed.value) as object, '')
}

function verdictOf(object: object, before: string): readonly GivenVerdict[] {
  const entries: readonly (readonly [string, unknown])[] = Object.entries(object)
  const named = entries.findLast(([key]) => /verdict$/i.test(key))
  if (!named) return []
  const reason = entries.find(([key]) => key.toLowerCase() === 'reason')?.[1]
  return [
    {
      verdict: parseVerdict(named[1]),
      reason: typeof reason === 'string' ? reason : '',
      isFinal: final.test(before) || final.test(named[0]),
    },
  ]
}

/** Verdicts with a label, alone in a line, or at the beginning: "Verdict: yes", "the verdict is 1", "No, …". */
function inWords(reply: string): readonly GivenVerdict[] {
  const text = reply.replace(/[*_`#>"“”]+/g, '')
  let end = 0
  return [...text.matchAll(labelled)].map(({ 0: all, 1: named, 2: alone, 3: first, index }) => {
    const before = text.slice(end, index)
    end = index + all.length
    return {
      verdict: parseVerdict(named ?? alone ?? first),
      reason: reply,
      isFinal: final.test(before) || final.test(all),
    }
  })
}

const value = `([-+]?\\d+(?:[.,]\\d+)?|${verdictPattern})(?![\\p{L}\\p{M}\\p{N}%/]|[.,]\\d|\\s*(?:if|when|or)\\b)`
const label =
  '(?:verdict|judge?ment|decision|conclusion|score|rating|urteil|bewertung|ergebnis|verdicto?|veredicto|verdetto|jugement|juicio|oordeel|omdöme|tuomio|werdykt|вердикт|оценка|ετυμηγορία|karar|الحكم|फैसला|判定|判断|结论|結論|판정)'
const joined =
  '(?:\\s*(?:is|was|of|would be|should be|must be|therefore|ist|lautet|est|es|è|é|to|on|är|είναι|هو|是|为|は|은|는|[:=：–—]|-(?!\\d)))*'
const labelled = new RegExp(
  `(?<![\\p{L}\\p{M}])${label}${joined}\\s*${value}|^ *${value}(?=[ .!。]*$)|(?<![^])(${verdictPattern})(?=[.,:;!。，、])`,
  'gimu',
)

const final =
  /\b(?:final(?:ly|ment|mente)?|correct(?:ed|ion)|revised?|on (?:second thought|reflection)|actually|endgültig\w*|schließlich|définitif|definitiv\w*|ostateczn\w*|nihai)\b|окончательн|итогов|τελικ|نهائي|סופי|अंतिम|最终|最終|最后|최종/iu
