/** Edges of a rectangle, or how far each is from something else. */
export interface Box {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

interface Dot {
  readonly name: string
  readonly x: number
  readonly y: number
}

/** Where the text of a label begins (`left`) or ends (`right`); `isFar`: so far from its dot that a line is needed. */
interface Label {
  readonly label: string
  readonly labelX: number
  readonly labelY: number
  readonly align: 'left' | 'right'
  readonly isFar: boolean
}

/** A label beside each dot, moved up or down until it overlaps nothing; one for which there is no room is empty. */
export function placeLabels(dots: readonly Dot[], area: Box): readonly Label[] {
  const taken: Box[] = dots.map(({ x, y }) => ({ left: x - 5, right: x + 5, top: y - 5, bottom: y + 5 }))
  return dots.map(({ name, x, y }) => {
    const label = shortened(name, 30)
    for (let step = 0; step < 60; step++) {
      const labelY = y + (step % 2 === 0 ? 1 : -1) * Math.ceil(step / 2) * 7
      const isFar = Math.abs(labelY - y) > 10
      for (const align of ['left', 'right'] as const) {
        const labelX = x + (align === 'left' ? 1 : -1) * (isFar ? 24 : 9)
        const [left, right] = align === 'left' ? [labelX, labelX + widthOf(label)] : [labelX - widthOf(label), labelX]
        const box = { left, right, top: labelY - 8, bottom: labelY + 6 }
        if (!isInside(box, area) || taken.some((other) => overlap(box, other))) continue
        taken.push(box)
        return { label, labelX, labelY, align, isFar }
      }
    }
    return { label: '', labelX: x, labelY: y, align: 'left', isFar: false }
  })
}

const isInside = (box: Box, area: Box): boolean =>
  box.left >= area.left && box.right <= area.right && box.top >= area.top && box.bottom <= area.bottom

const overlap = (box: Box, other: Box): boolean =>
  box.left < other.right && box.right > other.left && box.top < other.bottom && box.bottom > other.top

/** About how wide words are in a figure, which cannot be measured before it is seen. */
export const widthOf = (text: string): number => 8.2 * Array.from(text).length

/** At most `most` letters: the beginning and the end, in which rows with varied options differ. */
export function shortened(text: string, most: number): string {
  const letters = Array.from(text)
  const end = Math.floor((most - 1) / 2)
  return letters.length <= most ? text : `${letters.slice(0, most - 1 - end).join('')}…${letters.slice(-end).join('')}`
}
