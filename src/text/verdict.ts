const english: Readonly<Record<string, number>> = { yes: 1, right: 1, true: 1, no: 0, wrong: 0, false: 0 }

/** Yes and true, no and false, in many languages. */
const affirmative = `correct ja wahr richtig oui vrai sí si verdadero verdadera cierto sim verdadeiro sì vero waar
  sant kyllä tosi tak prawda ano igen da да истина верно правда так ναι αληθές evet doğru نعم صحيح بله כן נכון हाँ
  हां सही সত্য হ্যাঁ ใช่ จริง có đúng ya benar はい 正しい 是 对 對 正确 正確 예 네 맞음 참`
const negative = `incorrect nein falsch non faux falso falsa não nao nee onwaar nej nei falskt falsk ei epätosi nie
  fałsz ne nem nu нет ложь неверно ні όχι ψευδές hayır yanlış لا خطأ خير خیر לא שגוי नहीं गलत না ไม่ใช่ ไม่ เท็จ
  không sai tidak salah いいえ 誤り 否 不是 错 錯 错误 不正确 不正確 아니요 아니오 거짓`

const verdictEntries = (words: string, value: number) =>
  words.split(/\s+/).map((word) => [word.normalize('NFKC'), value] as const)

const words = new Map([...Object.entries(english), ...verdictEntries(affirmative, 1), ...verdictEntries(negative, 0)])

/** Verdict words of all languages as a regular expression, longest first. */
export const verdictPattern = [...words.keys()].sort((a, b) => b.length - a.length).join('|')

/** A human verdict: a number (also with a decimal comma) or a verdict word; else undefined. */
export function verdictIn(text: string): number | undefined {
  const word = text.trim().normalize('NFKC').toLowerCase()
  return /^[+-]?(\d+([.,]\d*)?|[.,]\d+)$/.test(word) ? Number(word.replace(',', '.')) : words.get(word)
}

/** A judge's verdict, 1 or 0, from a number, boolean or text; else undefined. */
export function parseVerdict(value: unknown): 0 | 1 | undefined {
  const verdict = typeof value === 'string' ? verdictIn(value.replace(edges, '')) : Number(value)
  const isGiven = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
  return isGiven && (verdict === 0 || verdict === 1) ? verdict : undefined
}

const edges = /^[\s"'“”„«»*_`([]+|[\s"'“”„«»*_`)\].,;!。]+$/g
