import { lower, type Sentence, type Span } from './sentence.ts'

/** Whether a noun phrase looks like a person: a title, a noun for people, or a name of two or three words that does not end as places and firms do. */
export function isPerson({ words }: Sentence, { from, to }: Span): boolean {
  const inside = words.slice(from, to)
  const last = inside.at(-1)
  if (!last || inside.some((word) => /\d/.test(word.text))) return false
  if (inside.some((word) => TITLE.test(word.text))) return true
  if (last.pos !== 'PROPN') return isPeople(last.lemma)
  const spelled = inside.every((word) => /^\p{Lu}\p{Ll}+$/u.test(word.text) || /^\p{Lu}\.$/u.test(word.text))
  const thing = inside.some((word) => THING.test(word.text)) || lower(words[from - 1]) === 'the'
  return spelled && !thing && inside.length > 1 && inside.length < 4
}

/** Whether a noun is a word for people. */
export const isPeople = (lemma: string): boolean => PEOPLE.test(lemma)

const TITLE = /^(?:Mrs?|Ms|Dr|Sir|Lady|Lord|King|Queen|Prince|Princess|President|Captain|Professor|Prof|Saint)\.?$/
const THING =
  /^(?:Mount|Lake|Cape|River|Sea|Ocean|Bay|Island|Islands|City|County|Town|Street|Road|Bridge|Tower|House|Hall|Park|Castle|Mill|Station|University|College|School|Institute|Museum|Church|Company|Corporation|Inc|Ltd|Party|League|Club|Band|Union|War|Battle|Republic|States|Kingdom|America|Africa|Zealand|New|North|South|East|West|United|Association|Agency|Act|Prize|Award)$/
const PEOPLE =
  /^(?:people|person|child|boy|girl|man|woman|king|queen|doctor|father|mother|parent|son|daughter|brother|sister|wife|husband|friend|chief|guard|captain|nurse|pilot|crew|author|actor|artist|scientist|physicist|chemist|engineer|teacher|student|writer|singer|player|leader|president|minister|soldier|officer|worker|farmer|keeper|sailor|fisherman|inventor|founder|explorer|researcher|physician|patient|participant|user|owner|librarian|historian|musician|politician)$/i
