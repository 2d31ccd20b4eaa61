import { asciiDigit, otherDigit } from '../text/characters.ts'

/** The text of an option, to search for it in a reply. */
export const plainOption = (option: string): string =>
  plain(option)
    .replace(/\s+/g, ' ')
    .replace(/^[\s.,;:!?]+|[\s.,;:!?]+$/g, '')

/** A reply with answer markup as a line "Answer: …", and without other markup. */
export function plainReply(reply: string): string {
  const text = plain(reply)
    .replace(/\\(?:text|math|bf|rm)[a-z]{0,4} ?\{([^{}\n]{0,200})\}/g, '$1')
    .replace(/\\f?boxed ?\{([^{}\n]{0,200})\}/g, '\nAnswer: $1\n')
    .replace(/\\[()[\]]/g, ' ')
    .replace(/\${1,2} ?(\(?(?:[A-Za-z]|\d{1,3})\)?) ?\${1,2}/g, '$1')
    .replace(/<(\/?)(?:[a-z]{1,9}[_-])?(?:answer|choice|option|response|result|output)>/gi, (_, end) =>
      end === '/' ? '\n' : '\nAnswer: ',
    )
    .replace(/<\/?(?:b|i|u|p|br|em|strong|span|div|code|mark)\b[^<>]{0,99}>/gi, ' ')
    .replace(/`{3,}[a-z]{0,12}(?=\s|$)/gi, '\n')
    .replace(/`/g, '')
    .replace(/(\*{1,3}|_{2,3})(?=\S)([^*\n]{1,200}?)(?<=\S)\1/g, '$2')
    .replace(/^\s{0,9}(?:#{1,6}|>|[*+•-])\s+/gm, '')
  return text
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n[ \n]*/g, '\n')
    .trim()
}

/** Unifies digits, letters, quotes and contractions; lower-casing keeps the length. */
const plain = (text: string) =>
  text
    .replace(/[\u24f5-\u24fe\u2776-\u2793\u{1f150}-\u{1f189}]/gu, inCircle)
    .replaceAll('№', '#')
    // normalisation is quadratic in the marks on one letter
    .replace(/(\p{M}{32})\p{M}+/gu, '$1')
    .normalize('NFKC')
    .replace(otherDigit, asciiDigit)
    .replace(/[\p{Cf}\u20e3\ufe0f]+/gu, '')
    .replace(/[‘’ʼ]/g, "'")
    .replace(/["“”„‟«»「」『』″]+|(?<![\p{L}\p{N}])'|'(?![\p{L}\p{N}])/gu, '')
    .replace(/[【〔［]/g, '[')
    .replace(/[】〕］]/g, ']')
    .replace(/\bcannot\b/gi, 'can not')
    .replace(/(?<=[a-z])n't\b/gi, ' not')
    .replace(/\b(it|that|this|there)'s\b/gi, '$1 is')
    .replaceAll('İ', 'I')

/** Enclosed signs (white on black, double circles, squares) that NFKC does not replace. */
function inCircle(sign: string) {
  const code = Number(sign.codePointAt(0))
  if (code >= 0x1f150) return String.fromCharCode(65 + ((code - 0x1f150) % 32))
  return String(1 + (code < 0x2776 ? code - 0x24f5 : (code - 0x2776) % 10))
}
