import type { Build } from './build.ts'
import type { Model } from './model.ts'
import type { View } from './view.ts'

/** The slider under which light edges vanish; its line counts those that are left. */
export function threshold({ find }: Build, { edges, stops }: Model, view: View, paint: () => void): void {
  const slider = find('threshold')
  slider.max = String(stops.length)
  const filter = (): void => {
    const stop = Number(slider.value)
    view.threshold = stop === 0 ? -Infinity : (stops[stop] ?? Infinity)
    const shown = edges.filter(({ weight }) => weight >= view.threshold).length
    const least = Number.isFinite(view.threshold) ? `, weight ≥ ${view.threshold}` : ''
    const said = `${shown} of ${edges.length}${least}`
    find('shown').textContent = said
    slider.setAttribute('aria-valuetext', said)
    paint()
  }
  slider.addEventListener('input', filter)
  filter()
}
