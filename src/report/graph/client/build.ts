import type { Element, Page } from './dom.ts'

/** Finds and makes elements. What a text holds is never read as markup: it goes in as text alone. */
export interface Build {
  readonly find: (id: string) => Element
  readonly make: (
    tag: string,
    attributes?: Readonly<Record<string, string>>,
    ...content: readonly (Element | string)[]
  ) => Element
  /** A button that looks like a line of a list. */
  readonly button: (press: () => void, ...content: readonly (Element | string)[]) => Element
}

export function build(page: Page): Build {
  const make: Build['make'] = (tag, attributes = {}, ...content) => {
    const element = page.createElement(tag)
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
    element.append(...content)
    return element
  }
  return {
    make,
    find(id) {
      const element = page.getElementById(id)
      if (!element) throw new Error(`the page has no element #${id}`)
      return element
    },
    button(press, ...content) {
      const element = make('button', { type: 'button', class: 'line' }, ...content)
      element.addEventListener('click', press)
      return element
    },
  }
}
