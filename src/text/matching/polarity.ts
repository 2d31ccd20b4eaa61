import { foldCase } from './canonical.ts'

/** Yes (true) or no (false) for a text that is only such a word. */
export const wordPolarity = (text: string): boolean | undefined => {
  const word = foldCase(text).replace(/[\s.!,。！]+$/u, '')
  return yes.test(word) ? true : no.test(word) ? false : undefined
}

/** The polarity of a canonical text, by its end ("…, so yes."), else its beginning. */
export function polarityOf(text: string): boolean | undefined {
  const plain = foldCase(text).trim()
  const [, last] = conclusion.exec(plain.slice(-60)) ?? []
  if (last !== undefined) return wordPolarity(last)
  const [, first = '', behind = ''] = /^[^\p{L}\p{N}]*([\p{L}\p{M}]+)(.{0,20})/su.exec(plain) ?? []
  // "No one may", "No information"
  if (
    first === 'no' &&
    /^\s+(?!(?:it|they|he|she|you|we|i|this|that|there|se|es|esta|hay|puede)(?!\p{L}))\p{L}/u.test(behind)
  )
    return undefined
  return wordPolarity(first) ?? wordPolarity(spaceless.exec(first)?.[0] ?? '')
}

const yesWords =
  'yes|yeah|yep|ja|jo|oui|si|sim|да|ναι|evet|tak|kylla|נכן|כן|نعم|是的?|对|對|はい|네|예|ใช่|हां|हाँ|áno|ano|igen|так'
const noWords =
  'no|nope|nein|non|nao|nee|nej|nei|нет|οχι|hayır|hayir|nie|ei|לא|لا|不是?|否|いいえ|아니요|아니오|ไม่(?:ใช่)?|नहीं|ne|nem|ні'
const yes = new RegExp(`^(?:${yesWords})$`, 'u')
const no = new RegExp(`^(?:${noWords})$`, 'u')
const spaceless = /^(?:是的|不是|はい|いいえ|不|ใช่|ไม่ใช่|ไม่)/
const conclusion = new RegExp(
  `(?:^|[:,;—-]\\s*|(?<!\\p{L})(?:so|is|therefore|thus|hence|lautet|ist|est|es|ar|on|also|donc|jest)\\s+)["'*_]*(${yesWords}|${noWords})[^\\p{L}\\p{N}]*$`,
  'u',
)
