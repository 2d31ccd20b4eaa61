import { objectsIn, parseLenient } from '../text/json.ts'
import { parseVerdict, verdictPattern } from '../text/verdict.ts'

/** A verdict in a reply, undefined if it is neither 1 nor 0, and whether the reply calls it final. */
type ReplyVerdict = ReturnType<typeof verdictOf>[number]

/** Reads the verdict of a judge's reply, in JSON or in prose; of several different verdicts, the final one. */
export function readVerdictReply(reply: string) {
  const verdicts = inObjects(reply) ?? inWords(reply)
  if ('error' in verdicts) return verdicts
  const last = verdicts.at(-1)
  if (!last) return { error: reply === '' ? 'the reply is empty' : 'the reply gives no verdict' }
  if (!last.isFinal && verdicts.some(({ verdict }) => verdict !== last.verdict))
    return { error: 'the reply gives several verdicts and calls none of them final' }
  const { verdict, reason } = last
  return verdict === undefined
    ? { error: 'the verdict is neither 1 nor 0' }
    : { value: { reason, verdict }, skipped: 0 }
}

function inObjects(reply: string): readonly ReplyVerdict[] | { readonly error: string } | undefined {
  if (!reply.includes('{')) return undefined
  let end = 0
  const verdicts = objectsIn(reply).flatMap(({ object, start, end: next }) => {
    const before = reply.slice(end, start)
    end = next
    return verdictOf(object, before)
  })
  if (verdicts.length > 0) return verdicts
  const result = parseLenient(reply, 'object')
  if (result.outcome === 'failed') return { error: result.reason }
  if (result.outcome === 'repaired' && result.lossy) return { error: 'a part of the reply is missing' }
  return verdictOf(Object(result.value) as object, '')
}

function verdictOf(object: object, before: string) {
  const entries: readonly (readonly [string, unknown])[] = Object.entries(object)
  const entry = entries.findLast(([key]) => /verdict$/i.test(key))
  if (!entry) return []
  const reason = entries.find(([key]) => key.toLowerCase() === 'reason')?.[1]
  return [
    {
      verdict: parseVerdict(entry[1]),
      reason: typeof reason === 'string' ? reason : '',
      isFinal: final.test(before) || final.test(entry[0]),
    },
  ]
}

function inWords(reply: string): readonly ReplyVerdict[] {
  const text = reply.replace(/[*_`#>"“”]+/g, '')
  let end = 0
  return [...text.matchAll(verdictWithLabel)].map(({ 0: all, 1: labelValue, 2: lineValue, 3: startValue, index }) => {
    const before = text.slice(end, index)
    end = index + all.length
    return {
      verdict: parseVerdict(labelValue ?? lineValue ?? startValue),
      reason: reply,
      isFinal: final.test(before) || final.test(all),
    }
  })
}

const value = `([-+]?\\d+(?:[.,]\\d+)?|${verdictPattern})(?![\\p{L}\\p{M}\\p{N}%/]|[.,]\\d|\\s*(?:if|when|or)\\b)`
const label =
  '(?:verdict|judge?ment|decision|conclusion|score|rating|urteil|bewertung|ergebnis|verdicto?|veredicto|verdetto|jugement|juicio|oordeel|omdöme|tuomio|werdykt|вердикт|оценка|ετυμηγορία|karar|الحكم|फैसला|判定|判断|结论|結論|판정)'
const connective =
  '(?:\\s*(?:is|was|of|would be|should be|must be|therefore|ist|lautet|est|es|è|é|to|on|är|είναι|هو|是|为|は|은|는|[:=：–—]|-(?!\\d)))*'
const verdictWithLabel = new RegExp(
  `(?<![\\p{L}\\p{M}])${label}${connective}\\s*${value}|^ *${value}(?=[ .!。]*$)|(?<![^])(${verdictPattern})(?=[.,:;!。，、])`,
  'gimu',
)

const final =
  /\b(?:final(?:ly|ment|mente)?|correct(?:ed|ion)|revised?|on (?:second thought|reflection)|actually|endgültig\w*|schließlich|définitif|definitiv\w*|ostateczn\w*|nihai)\b|окончательн|итогов|τελικ|نهائي|סופי|अंतिम|最终|最終|最后|최종/iu
