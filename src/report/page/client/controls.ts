import { element } from '../../client/dom.ts'
import { breakEven, breakEvenWords, type CostsOfRow } from '../../gather/costs-of-row.ts'

/** Shows the buttons that save a figure as SVG. */
export function saveFigures(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('button.save')) {
    const figure = button.closest('figure')?.querySelector('svg')
    if (!figure) continue
    button.hidden = false
    button.addEventListener('click', () => {
      const file = new Blob([new XMLSerializer().serializeToString(figure)], { type: 'image/svg+xml' })
      const href = URL.createObjectURL(file)
      element('a', { href, download: `${figure.dataset['name'] ?? 'figure'}.svg` }).click()
      URL.revokeObjectURL(href)
    })
  }
}

/** Recomputes break-even points for the row that the reader selects. */
export function chooseBreakEven(): void {
  for (const costs of document.querySelectorAll<HTMLElement>('.costs')) {
    const rows = JSON.parse(costs.dataset['costs'] ?? '[]') as readonly (CostsOfRow & { readonly name: string })[]
    const unit = costs.dataset['unit'] === 'money' ? 'money' : 'tokens'
    const select = costs.querySelector('select')
    const title = costs.querySelector('thead th:last-child')
    if (!select?.parentElement || !title || rows.length < 2) continue
    for (const { name } of rows)
      select.append(element('option', { selected: name === select.dataset['against'] }, name))
    select.addEventListener('change', () => {
      const base = rows[select.selectedIndex]
      title.textContent = `break-even with ${base?.name ?? ''}`
      costs.querySelectorAll('tbody td:last-child').forEach((cell, index) => {
        const row = rows[index]
        cell.textContent = breakEvenWords(row && base && row !== base ? breakEven(row, base, unit) : null)
      })
    })
    select.parentElement.hidden = false
  }
}
