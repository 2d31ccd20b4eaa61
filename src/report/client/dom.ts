/** Content of an element. Strings become text nodes, never markup; `false` and undefined are skipped. */
export type Inside = Node | string | false | undefined | readonly Inside[]

/** Creates an element; attributes that are `false` are skipped. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Readonly<Record<string, string | number | boolean>>,
  ...inside: readonly Inside[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(name)
  for (const [key, value] of Object.entries(attributes))
    if (value !== false) node.setAttribute(key, value === true ? '' : String(value))
  fill(node, inside)
  return node
}

/** Replaces the content of an element. */
export function fill(node: Element, ...inside: readonly Inside[]): void {
  const append = (child: Inside) => {
    if (child instanceof Node || typeof child === 'string') node.append(child)
    else if (child) child.forEach(append)
  }
  node.replaceChildren()
  append(inside)
}

export function button(
  attributes: Readonly<Record<string, string | boolean>>,
  press: () => void,
  ...inside: readonly Inside[]
): HTMLButtonElement {
  const node = element('button', { type: 'button', ...attributes }, inside)
  node.addEventListener('click', press)
  return node
}

/** The element with an id. Throws if it is missing or of another kind. */
export function byId<E extends HTMLElement>(id: string, kind: abstract new () => E): E {
  const node = document.getElementById(id)
  if (!(node instanceof kind)) throw new Error(`the page has no ${id}`)
  return node
}

/** The JSON of an inert element; undefined if the page has none. */
export function inert(id: string): unknown {
  const text = document.getElementById(id)?.textContent
  return text === undefined ? undefined : (JSON.parse(text) as unknown)
}

/** The JSON of an element that holds packed JSON; undefined if the page has none. */
export async function unpackJson(id: string): Promise<unknown> {
  const text = document.getElementById(id)?.textContent
  if (text == null) return undefined
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
  const json = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
  return (await new Response(json).json()) as unknown
}
