/** What may stand in an element: texts become text nodes, never markup; lists one by one; no `false` or undefined. */
export type Inside = Node | string | false | undefined | readonly Inside[]

/** An element with attributes; `false` leaves one out. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Readonly<Record<string, string | number | boolean>>,
  ...inside: readonly Inside[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(name)
  for (const [key, value] of Object.entries(attributes))
    if (value !== false) node.setAttribute(key, value === true ? '' : String(value))
  const append = (child: Inside): void => {
    if (child instanceof Node || typeof child === 'string') node.append(child)
    else if (child) child.forEach(append)
  }
  append(inside)
  return node
}

/** A button that calls `press`. */
export function button(
  attributes: Readonly<Record<string, string | boolean>>,
  press: () => void,
  ...inside: readonly Inside[]
): HTMLButtonElement {
  const node = element('button', { type: 'button', ...attributes }, inside)
  node.addEventListener('click', press)
  return node
}

/** What opens after a click on its summary. */
export const disclosure = (summary: Inside, ...inside: readonly Inside[]): HTMLElement =>
  element('details', {}, element('summary', {}, summary), inside)

/** The element of the page with that id. Throws where there is none: the page is broken then. */
export function byId<E extends HTMLElement>(id: string, kind: abstract new () => E): E {
  const node = document.getElementById(id)
  if (!(node instanceof kind)) throw new Error(`the page has no ${id}`)
  return node
}

/** The data of an inert element; undefined where the page has none. */
export function inert(id: string): unknown {
  const text = document.getElementById(id)?.textContent
  return text === undefined ? undefined : (JSON.parse(text) as unknown)
}
