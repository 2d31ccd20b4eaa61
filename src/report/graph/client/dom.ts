// What the viewer uses of a browser, in its own names. TypeScript's DOM library would give a window to all the code of this package.

export interface Browser {
  readonly document: Page
  readonly devicePixelRatio: number
  readonly ResizeObserver: new (changed: () => void) => { observe(element: Element): void }
  requestAnimationFrame(paint: () => void): number
  getComputedStyle(element: Element): { getPropertyValue(name: string): string }
  matchMedia(query: string): { readonly matches: boolean; addEventListener(type: 'change', changed: () => void): void }
}

export interface Page {
  getElementById(id: string): Element | null
  createElement(tag: string): Element
  querySelectorAll(selector: string): Iterable<Element>
  readonly documentElement: Element
}

/** An element; what only some have (`value` of a field, `getContext` of a canvas) is asked only of those. */
export interface Element {
  textContent: string | null
  hidden: boolean
  id: string
  value: string
  max: string
  width: number
  height: number
  open: boolean
  readonly clientWidth: number
  readonly clientHeight: number
  readonly dataset: Record<string, string | undefined>
  readonly style: { setProperty(name: string, value: string): void }
  readonly children: ArrayLike<Element>
  append(...content: (Element | string)[]): void
  replaceChildren(...content: (Element | string)[]): void
  setAttribute(name: string, value: string): void
  removeAttribute(name: string): void
  addEventListener(type: string, listener: (event: Happening) => void, options?: { readonly passive: boolean }): void
  getBoundingClientRect(): {
    readonly left: number
    readonly top: number
    readonly width: number
    readonly height: number
  }
  getContext(kind: '2d'): Pen | null
  setPointerCapture(pointer: number): void
  scrollIntoView(options: { readonly block: 'nearest' | 'start' }): void
  focus(): void
  blur(): void
}

export interface Happening {
  readonly key: string
  readonly clientX: number
  readonly clientY: number
  readonly deltaY: number
  readonly deltaMode: number
  readonly pointerId: number
  readonly pointerType: string
  preventDefault(): void
}

/** A canvas's 2d context. */
export interface Pen {
  fillStyle: string
  strokeStyle: string
  lineWidth: number
  globalAlpha: number
  font: string
  textAlign: string
  textBaseline: string
  lineJoin: string
  setTransform(a: number, b: number, c: number, d: number, e: number, f: number): void
  clearRect(x: number, y: number, width: number, height: number): void
  beginPath(): void
  closePath(): void
  moveTo(x: number, y: number): void
  lineTo(x: number, y: number): void
  arc(x: number, y: number, radius: number, start: number, end: number): void
  setLineDash(segments: number[]): void
  fill(): void
  stroke(): void
  fillText(text: string, x: number, y: number): void
  strokeText(text: string, x: number, y: number): void
}
