/** Shows the buttons that save the figure above them as a file of its own. */
export function saveFigures(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('button.save')) {
    const figure = button.closest('figure')?.querySelector('svg')
    if (!figure) continue
    button.hidden = false
    button.addEventListener('click', () => {
      const address = URL.createObjectURL(
        new Blob([new XMLSerializer().serializeToString(figure)], { type: 'image/svg+xml' }),
      )
      const link = document.createElement('a')
      link.href = address
      link.download = `${figure.dataset['name'] ?? 'figure'}.svg`
      link.click()
      URL.revokeObjectURL(address)
    })
  }
}
