/** What may stand in an element: texts become text nodes, never markup. */
export type Inside = Node | string

/** An element with attributes; `false` leaves one out. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Readonly<Record<string, string | number | boolean>>,
  ...inside: readonly Inside[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes))
    if (value !== false) made.setAttribute(key, value === true ? '' : String(value))
  made.append(...inside)
  return made
}

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
