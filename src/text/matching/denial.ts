/**
 * Whether a text denies the span ("not X", "instead of X"), leaves it open ("not known whether X"), calls it former
 * ("formerly X"; unless the question asks for that) or one of several ("X or Y").
 */
export function isDenied(text: string, start: number, end: number, question: string): boolean {
  const sentence =
    text
      .slice(Math.max(0, start - 200), start)
      .toLowerCase()
      .split(sentenceEnd)
      .at(-1) ?? ''
  const clause = sentence.split(contrast).at(-1) ?? ''
  const rest = text.slice(end, end + 200).split(sentenceEnd)[0] ?? ''
  return (
    denial.test(clause) ||
    openQuestion.test(clause) ||
    denialBehind.test(rest) ||
    (former.test(clause) && !formerWord.test(question)) ||
    isAlternative(sentence, text.slice(start, end), rest)
  )
}

const sentenceEnd = /[.!?;:](?=\s|$)|[。！？；।]|\n/
const contrast =
  /(?<!\p{L})(?:but|however|although|sondern|aber|mais|sino|pero|lecz|ale|а|но|utan|men|vaan|mutta|αλλά|بل)(?!\p{L})|而是|但/u

/** Words allowed between a denial and its object; not "not only X". */
const between = `(?:[\\s"'(\\[„«“-]+(?!only|just|nur|bara|solo|sólo|vain|bare)(?:\\p{L}{1,3}|from|with|been|were|into|known|called|named|this|that|είναι|était|estaba))`
const cue = (words: string) => new RegExp(`(?<!\\p{L})(?:${words})${between}{0,3}[\\s"'(\\[„«“-]*$`, 'u')

const denial = new RegExp(
  `${
    cue(
      "not|\\p{L}+n't|cannot|never|neither|nor|no longer|rather than|instead of|other than|no(?!\\.?\\s*\\d)|nicht|keine?[nmrs]?|niemals|statt|anstatt|anstelle|weder|pas|jamais|ni|au lieu de|plutôt que|nunca|en lugar de|en vez de|non|invece di|não|em vez de|niet|geen|nooit|inte|aldrig|i stället för|ikke|ei|eivät|nie|zamiast|ne|není|не|ни|вместо|никогда|δεν|όχι|δε|nem|ليس|ليست|لا|וلא|לא|אינו|אינה|bukan|không phải",
    ).source
  }|(?:不是|并非|並非|而非|并不是|ไม่ใช่|ไม่ได้อยู่ที่)["「『（]*$`,
  'u',
)
const denialBehind =
  /^["'」』）]?\s?(?:ではな|じゃな|では(?:ありません|ない)|(?:이|가)?\s?아[니닙닌]|değil|नहीं|(?:is|was|are) (?:wrong|incorrect|false)(?!\p{L}))/u
const openQuestion =
  /(?:(?<!\p{L})(?:not|cannot|unable to|nothing)|n't)\s(?:\p{L}+\s){0,3}?(?:say|state|mention|specify|tell|know|determine|indicate|confirm|reveal|clear|sure|certain)|(?<!\p{L})(?:unclear|unknown|uncertain|unsure|doubtful|неизвестно|неясно|unklar|unbekannt)(?!\p{L})|(?<!\p{L})(?:(?:nicht|keine?|pas|не|nie|inte|ei|non|não|niet),?|no)\s[^.;]{0,40}(?<!\p{L})(?:ob|si|se|czy|ли|om|of)(?!\p{L})/u
const formerWord =
  /(?<!\p{L})(?:former\w*|previous\w*|originally|earlier|before|once|used to|early|first|old|früher|ehemals|vormals|ursprünglich|anciennement|autrefois|antes|anteriormente|ранее|раньше|прежде)(?!\p{L})|以前|曾|旧|かつて/iu
const former = new RegExp(
  `${
    cue(
      'formerly|previously|used to be|früher|ehemals|vormals|zuvor|anciennement|autrefois|auparavant|antes|anteriormente|antiguamente|voorheen|vroeger|tidigare|dawniej|wcześniej|ранее|раньше|прежде|aiemmin|eskiden|سابقا|לשעבר|(?:former|previous|old|earlier) \\p{L}+ (?:was|were|of)',
    ).source
  }|(?:以前は?|曾经?是?|旧|かつては?|이전에는|예전에는)$`,
  'u',
)

const or = 'or|oder|ou|o|oppure|eller|lub|albo|или|або|tai|vai|veya|ya da|ή|أو|או|nebo|vagy|atau|hoặc|या'
const orBehind = new RegExp(
  `^["'»”)]*,?\\s+(?:${or})\\s+(?!so(?!\\p{L})|more|less|fewer|older|younger|above|below|over|under|later|earlier|sooner|else|otherwise|not)|^["」』]?(?:或|还是|還是|または|あるいは|もしくは|か(?=\\p{sc=Han})|\\s?또는|\\s?혹은|(?:이나|나)\\s|หรือ)`,
  'u',
)
const orBefore = new RegExp(
  `(?<!\\p{L})(?:${or})(?:\\s+\\p{L}{1,3}){0,2}\\s+["'«“]?$|(?:或者?|还是|還是|または|あるいは|もしくは|또는\\s?|혹은\\s?|หรือ)["「『]?$`,
  'u',
)

/** "X or Y", "Y or X", and "X, Y or Z" where what is listed begins alike: with a capital, a small letter or a digit. */
function isAlternative(before: string, match: string, behind: string) {
  if (orBehind.test(behind.toLowerCase()) || orBefore.test(before)) return true
  const kind = (item: string): string => {
    if (/^["'«“]?\p{Lu}/u.test(item)) return 'A'
    return /^\d/.test(item) ? '1' : 'a'
  }
  for (const item of behind
    .split(',', 7)
    .slice(1)
    .map((part) => part.trim())) {
    const words = item.toLowerCase().split(/\s+/)
    const at = words.findIndex((word) => or.split('|').includes(word))
    if (at === 0) return true
    if (words.length > 4 && at < 0) return false
    if (at > 0) return at <= 4 && kind(item) === kind(match)
  }
  return false
}
