import { itemAt } from '../basics/collections.ts'

/** Abbreviations that decide where a full stop ends a sentence; all but `starter` match at the end of a text. */
export interface Abbreviations {
  /** A word that is common in the language, or in no other one. */
  readonly common: RegExp
  /** Before a name or an explanation: the sentence goes on whatever follows. */
  readonly always: RegExp
  /** Before a number only: "No. 7", but "I said no. Then …". */
  readonly beforeNumber: RegExp
  /** May end a sentence: they do before a typical first word (`starter`). */
  readonly usually: RegExp
  /** A typical first word of a sentence. */
  readonly starter: RegExp
  /** A word before a number that makes it an ordinal. */
  readonly ordinal?: RegExp
  /** Months: a number before one is an ordinal. */
  readonly months?: RegExp
  /** Whether spaces stand inside quotation marks. */
  readonly hasSpacedQuotes?: true
}

/** The abbreviations of a text's language, by its common words or script; English by default. */
export function abbreviationsOf(text: string): Abbreviations {
  // a name in another language has capitals: "Das Boot", "Los Angeles"
  const start = text.slice(0, 4000).replace(/\p{Lu}/u, (letter) => letter.toLowerCase())
  const words = start.match(/[\p{L}\p{M}]+|[¿¡]/gu) ?? []
  const counts = languages.map(({ common }) => words.filter((word) => common.test(word)).length)
  return itemAt(languages, counts.indexOf(Math.max(...counts)))
}

const list = (words: string) => words.replaceAll('.', '\\.').replaceAll('_', '\\s?').replaceAll(' ', '|')

const ending = (words: string) => new RegExp(`(?<![^\\s("'“‘„«[])(?:${list(words)})\\.$`, 'iu')

const starting = (words: string, otherStart = '(?!)') =>
  new RegExp(`^["“„«‘(]?(?:(?:${list(words)})(?![\\p{L}\\p{M}])|${otherStart})`, 'u')

const word = (words: string) => new RegExp(`^(?:${list(words)})$`, 'u')

const english: Abbreviations = {
  common: word(
    'the of and to is was that for it with as his her on be at by this had not are but from or have they which you were he she we in an',
  ),
  always: ending(
    'dr mr mrs ms mx messrs prof rev fr hon sen rep gov pres gen col lt maj capt cmdr adm sgt cpl st mt ft i.e e.g ie eg cf viz vs v ca approx',
  ),
  beforeNumber: ending(
    'no nos p pp fig figs eq eqs sec ch chap vol art tab jan feb mar apr jun jul aug sep sept oct nov dec',
  ),
  usually: ending('al etc inc ltd co corp jr sr u.s u.k u.n e.u ph.d m.d b.a m.a dept est'),
  starter:
    /^["“‘(]?(?:A|After|Also|An|And|As|At|But|By|For|From|He|Her|His|However|I|If|In|It|Its|No|On|Our|She|So|That|The|Their|Then|There|These|They|This|Those|To|Was|We|What|When|While|Why|You)\b/,
}

const german: Abbreviations = {
  common: word(
    'der das und ist nicht mit von zu den dem des ein eine einen einer wird wurde auf für sich auch er sie es ich wir im vom zum zur bei nach aus als wie oder aber sind sein seine',
  ),
  always: ending(
    'mr mrs ms dr prof hr fr frl dipl ing st bzw ca vgl evtl ggf inkl exkl sog geb gest ehem insb bspw mio mrd tsd zzgl abzgl nr tel fa fam hl [\\p{L}-]*str z._b d._h o._g s._o s._u u._u z._t i._d._r',
  ),
  beforeNumber: ending('s art abs bd aufl kap abb tab ziff jan feb mär apr jun jul aug sep sept okt nov dez'),
  usually: ending('usw etc co jh jhd hrsg chr u._a o._ä a._d e._v'),
  starter: starting(
    'Der Die Das Den Dem Des Ein Eine Einen Einem Einer Er Sie Es Ich Wir Ihr Ihre Sein Seine Man In Im Am An Auf Aus Bei Mit Nach Von Vom Vor Zu Zum Zur Für Über Unter Durch Dies Diese Dieser Dieses Dort Da Dann Danach Dabei Damit Daher Doch Aber Auch Als Wenn Weil Obwohl Während Wie Was Wer Wo Warum Und Oder Nur Noch Nun So Seit Später Heute Alle Allerdings Jedoch Außerdem Zudem Hier Bis Nicht Kein Keine',
  ),
  ordinal:
    /(?<![\p{L}\p{M}])(?:am|im|vom|zum|beim|ins|der|die|das|den|dem|des|diese[mnrs]?|jede[mnrs]?|(?:ein|sein|ihr|mein|unser)e?[mnrs]?|in|bis|ab|seit|nach|vor|und|oder|zu|zur)\s\d{1,3}\.$/iu,
  months: /^(?:Januar|Jänner|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember)(?!\p{L})/u,
}

const spanish: Abbreviations = {
  common: word('el la los las de del y en que es un una por con para se su lo como más fue está [¿¡] muy pero'),
  always: ending(
    'mr mrs ms sr sra srta sres dr dra dres d dña prof profa ing lic arq gral cap cnel gob pdte sto sta fr av avda tel aprox vs p._ej ej',
  ),
  beforeNumber: ending('pág págs p pp núm núms art cap vol fig n.º nº'),
  usually: ending('ee._uu rr._hh ff._aa jj._oo a._c d._c s._a s._l etc cía'),
  starter: starting(
    'El La Los Las Un Una Unos Unas En Es Fue Era Se Su Sus Al De Del Con Por Para Pero Y O Si No Que Quien Cuando Donde Como Luego Después Entonces Además También Según Desde Hasta Sin Sobre Entre Este Esta Estos Estas Ese Esa Aquel Él Ella Ellos Ellas Yo Nosotros Hay Tiene Así Ahora Hoy Más Muy Tras Ante Cada Todo Todos Aunque Mientras Allí Ayer',
    '[¿¡]',
  ),
}

const french: Abbreviations = {
  common: word(
    'le la les de des du est un une dans que qui il elle au aux sur ne pas par avec pour ce cette son ses dit était',
  ),
  always: ending('mr mrs ms m mm mme mmes mlle mlles dr pr me mgr st ste av bd boul env cf vs p._ex c.-à-d éd'),
  beforeNumber: ending('p pp no n° art chap fig vol t'),
  usually: ending('etc j.-c s apr'),
  hasSpacedQuotes: true,
  starter: starting(
    'Le La Les Un Une Des Il Elle Ils Elles On Je Nous Vous Tu Ce Cette Ces Cet Son Sa Ses En Dans Sur Sous Avec Pour Par Mais Et Ou Puis Ensuite Alors Quand Lorsque Depuis Après Avant Selon Au Aux Du De À Cependant Toutefois Ainsi Plus Sans Si Qui Que Quel Quelle Comment Pourquoi Où',
    "(?:[LDCJSN]|Qu|Aujourd)['’]",
  ),
}

const polish: Abbreviations = {
  common: word(
    'w na się nie że jest przy od po jak są był była przez dla lub oraz który która [a-zó]*[ąęłśżźćń]\\p{L}*',
  ),
  always: ending(
    'mr mrs ms ul al pl os np tzn tzw inż mgr dr prof hab ks św gen płk kpt ppor im zob por tel woj pow gm ok tys mln mld m._in',
  ),
  beforeNumber: ending('str s nr art ust pkt poz godz tab rys'),
  usually: ending('r w ww itd itp zł n._e p._n._e'),
  starter: starting(
    'W We Na Po Potem Do Od Z Ze Za Przez Przed Pod Nad Dla O U I A Ale Lecz Oraz Jednak Następnie Później Gdy Kiedy Jeśli Ponieważ Jego Jej Ich Był Była Było Byli Jest Są On Ona Ono Oni To Ten Ta Te Tam Tu Obecnie Dziś Dzisiaj Wtedy Także Również Nie Tak Już Został Została Co Kto Gdzie Jak Dlaczego',
  ),
  ordinal: /(?<![\p{L}\p{M}])(?:w|na|do|od|z|po|ze|we)\s\d{1,3}\.$/iu,
}

/** Titles, units, and names of Latin letters. */
const hindi: Abbreviations = {
  common: /^\p{Script=Devanagari}/u,
  always: ending(
    'डॉ प्रो श्री श्रीमती सुश्री पं कु स्व मो रु नं सं पृ ई कि मी ए बी सी डी एफ एच जे के एल एम एन क्यू आर एस टी यू वी डब्ल्यू एक्स',
  ),
  beforeNumber: ending('अ धारा'),
  usually: /(?!)/,
  starter: /(?!)/,
}

const languages: readonly Abbreviations[] = [english, german, spanish, french, polish, hindi]
