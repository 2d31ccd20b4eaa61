/** A text with its character references (`&amp;`, `&#39;`, `&#x27;`) as characters: numbers, and the names of Latin-1 and of common punctuation; any other stays. */
export const unescapeHtml = (text: string): string =>
  text.includes('&')
    ? text.replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|(\w{2,8}));/g, (found, decimal, hex, name) => {
        if (typeof name === 'string') return named.get(name) ?? found
        const code = typeof decimal === 'string' ? Number(decimal) : parseInt(String(hex), 16)
        return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : found
      })
    : text

/** From U+00A0 to U+00FF, in order. */
const latin1 =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest ' +
  'Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig ' +
  'agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml'

const named = new Map([
  ...latin1.split(' ').map((name, place): [string, string] => [name, String.fromCharCode(0xa0 + place)]),
  // HTML knows these four, and two more, in upper case too
  ...['amp', 'lt', 'gt', 'quot', 'copy', 'reg'].map((name, place): [string, string] => [
    name.toUpperCase(),
    '&<>"©®'.charAt(place),
  ]),
  ...Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", hellip: '…', mdash: '—', ndash: '–' }),
  ...Object.entries({ lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”', bull: '•', euro: '€', trade: '™' }),
])
