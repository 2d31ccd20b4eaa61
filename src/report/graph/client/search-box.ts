import { byId, element } from '../../client/dom.ts'

/** A line that the box offers. */
export interface Offer {
  readonly text: string
  readonly note: string
  readonly take: () => void
}

/** A combobox: typing asks for offers, arrows choose one, Enter or a press takes it, Escape clears. */
export function searchBox(offersFor: (typed: string) => readonly Offer[], clear: () => void): void {
  const field = byId('search', HTMLInputElement)
  const list = byId('offers', HTMLElement)
  let offers: readonly Offer[] = []
  let lines: readonly HTMLElement[] = []
  let chosen = -1

  const mark = (line: number): void => {
    chosen = line
    lines.forEach((one, index) => one.setAttribute('aria-selected', String(index === line)))
    const marked = lines[line]
    if (marked) {
      field.setAttribute('aria-activedescendant', marked.id)
      marked.scrollIntoView({ block: 'nearest' })
    } else field.removeAttribute('aria-activedescendant')
  }
  const close = (): void => {
    list.hidden = true
    field.setAttribute('aria-expanded', 'false')
    mark(-1)
  }
  const open = (): void => {
    offers = offersFor(field.value.trim())
    lines = offers.map((offer, index) => {
      const attributes = { role: 'option', id: `offer-${index}`, 'aria-selected': 'false' }
      const line = element('li', attributes, offer.text, ' ', element('small', {}, offer.note))
      // before the field loses the focus, which closes the list
      line.addEventListener('pointerdown', (event) => event.preventDefault())
      line.addEventListener('click', () => take(index))
      return line
    })
    list.replaceChildren(...lines)
    list.hidden = lines.length === 0
    field.setAttribute('aria-expanded', String(lines.length > 0))
    mark(-1)
  }
  const take = (index: number): void => {
    const offer = offers[index]
    if (!offer) return
    field.value = offer.text
    close()
    offer.take()
  }

  field.addEventListener('focus', open)
  field.addEventListener('click', open)
  field.addEventListener('blur', close)
  field.addEventListener('input', () => {
    open()
    if (field.value === '') clear()
  })
  field.addEventListener('keydown', (event) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0 && lines.length > 0) {
      event.preventDefault()
      mark((chosen + step + lines.length) % lines.length)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      take(Math.max(0, chosen))
    } else if (event.key === 'Escape') {
      field.value = ''
      close()
      clear()
    }
  })
}
