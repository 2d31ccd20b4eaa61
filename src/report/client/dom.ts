/** What may stand in an element: texts become text nodes, never markup; lists one by one; no `false` or undefined. */
export type Inside = Node | string | false | undefined | readonly Inside[]

/** An element with attributes; `false` leaves one out. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Readonly<Record<string, string | number | boolean>>,
  ...inside: readonly Inside[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes))
    if (value !== false) made.setAttribute(key, value === true ? '' : String(value))
  const append = (one: Inside): void => {
    if (one instanceof Node || typeof one === 'string') made.append(one)
    else if (one) one.forEach(append)
  }
  append(inside)
  return made
}

/** A button that calls `press`. */
export function button(
  attributes: Readonly<Record<string, string | boolean>>,
  press: () => void,
  ...inside: readonly Inside[]
): HTMLButtonElement {
  const made = element('button', { type: 'button', ...attributes }, inside)
  made.addEventListener('click', press)
  return made
}

/** What opens after a click on its summary. */
export const folded = (summary: Inside, ...inside: readonly Inside[]): HTMLElement =>
  element('details', {}, element('summary', {}, summary), inside)

/** The element of the page with that id. Throws where there is none: the page is broken then. */
export function byId<E extends HTMLElement>(id: string, kind: abstract new () => E): E {
  const found = document.getElementById(id)
  if (!(found instanceof kind)) throw new Error(`the page has no ${id}`)
  return found
}

/** The data of an inert element; undefined where the page has none. */
export function inert(id: string): unknown {
  const text = document.getElementById(id)?.textContent
  return text === undefined ? undefined : (JSON.parse(text) as unknown)
}
