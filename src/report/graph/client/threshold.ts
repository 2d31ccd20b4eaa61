import { byId } from '../../client/dom.ts'
import type { Model, View } from './model.ts'

/** The slider under which light edges vanish; its line counts those that are left. */
export function threshold({ edges, stops }: Model, view: View, paint: () => void): void {
  const slider = byId('threshold', HTMLInputElement)
  const shown = byId('shown', HTMLOutputElement)
  slider.max = String(stops.length)
  const filter = (): void => {
    const stop = Number(slider.value)
    view.threshold = stop === 0 ? -Infinity : (stops[stop] ?? Infinity)
    const left = edges.filter(({ weight }) => weight >= view.threshold).length
    const least = Number.isFinite(view.threshold) ? `, weight ≥ ${view.threshold}` : ''
    const said = `${left} of ${edges.length}${least}`
    shown.textContent = said
    slider.setAttribute('aria-valuetext', said)
    paint()
  }
  slider.addEventListener('input', filter)
  filter()
}
