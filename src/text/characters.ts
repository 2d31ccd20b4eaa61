import { once } from '../basics/memoise.ts'

/** A text without control characters: configs and datasets may hold some that a terminal would obey. */
export const plain = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]+/gu, ' ')

/** The letters and digits of a text: what two texts share that differ in white space and punctuation alone. */
export const lettersOf = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, '')

/**
 * A text without the characters that nobody sees: soft hyphens, zero-width spaces and joiners, marks of direction. The
 * joiners of Arabic, Indic and like scripts and of emoji stay, because they change what is written.
 */
export const withoutInvisible = (text: string): string => text.replace(invisible, '')

const invisible =
  /[\u00ad\u034f\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]|(?<=^|[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Han}\d\p{P}\s\u200b])[\u200c\u200d]+/gu

/** Whether a text holds a letter or a digit. */
export const hasLetters = (text: string): boolean => /[\p{L}\p{N}]/u.test(text)

/** The text with its character references resolved: numbers, and the names of HTML 4; others stay. */
export const decodeEntities = (text: string): string =>
  text.includes('&') ? text.replace(/&(#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/gi, resolved) : text

/** A text of Windows-1252 decoded as Latin-1, as Node 20 does: control characters become the signs meant. */
export const fromLatin1 = (text: string): string =>
  text.replace(/[\x80-\x9f]/g, (sign) => characters[sign.charCodeAt(0) - 0x80] ?? sign)

function resolved(written: string, reference: string): string {
  if (!reference.startsWith('#')) return named().get(reference) ?? written
  const code = /^#x/i.test(reference) ? parseInt(reference.slice(2), 16) : Number(reference.slice(1))
  // browsers read these as Windows-1252, which is what was meant
  if (code >= 0x80 && code <= 0x9f) return fromLatin1(String.fromCharCode(code))
  const isText = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
  return isText ? String.fromCodePoint(code) : '\ufffd'
}

const named = once(
  (): ReadonlyMap<string, string> =>
    new Map([
      ...ranges.flatMap(([first, names]) =>
        names.split(' ').map((name, index) => [name, String.fromCharCode(first + index)] as const),
      ),
      ...Object.entries({ ...single, ...upperCase }),
    ]),
)

/** Names of consecutive characters. */
const ranges: readonly (readonly [first: number, names: string])[] = [
  [
    0xa1,
    'iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml',
  ],
  [0x391, 'Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho'],
  [0x3a3, 'Sigma Tau Upsilon Phi Chi Psi Omega'],
  [
    0x3b1,
    'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigmaf sigma tau upsilon phi chi psi omega',
  ],
  [0x2018, 'lsquo rsquo sbquo'],
  [0x201c, 'ldquo rdquo bdquo'],
  [0x2190, 'larr uarr rarr darr harr'],
]

const single: Readonly<Record<string, string>> = {
  quot: '"',
  amp: '&',
  lt: '<',
  gt: '>',
  apos: "'",
  nbsp: '\u00a0',
  ensp: ' ',
  emsp: ' ',
  thinsp: ' ',
  OElig: 'Œ',
  oelig: 'œ',
  Scaron: 'Š',
  scaron: 'š',
  Yuml: 'Ÿ',
  fnof: 'ƒ',
  circ: 'ˆ',
  tilde: '˜',
  ndash: '–',
  mdash: '—',
  dagger: '†',
  Dagger: '‡',
  bull: '•',
  hellip: '…',
  permil: '‰',
  prime: '′',
  Prime: '″',
  lsaquo: '‹',
  rsaquo: '›',
  euro: '€',
  trade: '™',
  rArr: '⇒',
  hArr: '⇔',
  minus: '−',
  radic: '√',
  infin: '∞',
  ne: '≠',
  equiv: '≡',
  le: '≤',
  ge: '≥',
  asymp: '≈',
  sum: '∑',
  forall: '∀',
  isin: '∈',
  zwnj: '\u200c',
  zwj: '\u200d',
}

/** HTML knows these in upper case too. */
const upperCase: Readonly<Record<string, string>> = { AMP: '&', LT: '<', GT: '>', QUOT: '"', COPY: '©', REG: '®' }

/** What the codes 0x80 to 0x9f mean in Windows-1252; those that it leaves open stay as they are. */
const characters = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'
