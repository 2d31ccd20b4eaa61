/** Eigenvalues as bars around zero: SVG, 300 by 84 units; empty where there are none. */
export function spectrumSvg(values: readonly number[]): string {
  if (values.length === 0) return ''
  const shown = values.slice(0, most)
  const high = Math.max(0, ...shown)
  const low = Math.min(0, ...shown)
  const y = (value: number): number => round(2 + (80 * (high - value)) / (high - low || 1))
  const step = 300 / Math.max(shown.length, 6)
  const bars = shown.map((value, index) => {
    const top = y(Math.max(0, value))
    const height = Math.max(1, y(Math.min(0, value)) - top)
    return `<rect x="${round(index * step + 0.15 * step)}" y="${top}" width="${round(0.7 * step)}" height="${round(height)}"><title>${index + 1}: ${value.toPrecision(4)}</title></rect>`
  })
  const label = `Eigenvalues: ${shown.map((value) => value.toPrecision(3)).join(', ')}`
  return `<svg viewBox="0 0 300 84" role="img" aria-label="${label}">${bars.join('')}<path d="M0 ${y(0)}H300"/></svg>`
}

const most = 60

const round = (value: number): number => Math.round(value * 100) / 100
