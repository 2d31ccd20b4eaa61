import { element, type Inside } from '../../client/dom.ts'

/** A button that looks like a line of a list; `press` is called where it is pressed. */
export function lineButton(press: () => void, ...inside: readonly Inside[]): HTMLButtonElement {
  const button = element('button', { type: 'button', class: 'line' }, ...inside)
  button.addEventListener('click', press)
  return button
}
