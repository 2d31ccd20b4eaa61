/** Shows the buttons that save the figure above them as a file of its own. */
export function saveFigures(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('button.save')) {
    const figure = button.closest('figure')?.querySelector('svg')
    if (!figure) continue
    button.hidden = false
    button.addEventListener('click', () => {
      const address = URL.createObjectURL(new Blob([fileOf(figure)], { type: 'image/svg+xml' }))
      const link = document.createElement('a')
      link.href = address
      link.download = `${figure.dataset['name'] ?? 'figure'}.svg`
      link.click()
      URL.revokeObjectURL(address)
    })
  }
}

/** A figure with its own colours, which are made for white, on white: whoever shows the file may do so on black. */
function fileOf(figure: SVGElement): string {
  const alone = figure.cloneNode(true) as SVGElement
  const ground = document.createElementNS('http://www.w3.org/2000/svg', 'rect')
  for (const [name, value] of Object.entries({ width: '100%', height: '100%', fill: '#ffffff' }))
    ground.setAttribute(name, value)
  alone.prepend(ground)
  return new XMLSerializer().serializeToString(alone)
}
