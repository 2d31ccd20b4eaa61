import { byId, element, inert } from '../../client/dom.ts'
import { type CostsOfRow, type CostUnit, breakEven, breakEvenWords } from '../../table/costs-of-row.ts'
import type { PageData, PagePart } from '../page-data.ts'
import { chosen, tools } from './choose.ts'
import { listHead, listItem, questionView } from './question-list.ts'

/** Shows the buttons that save the figure above them as a file of its own. */
function saveFigures(): void {
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

/** Lets the reader choose the row with which the others break even. */
function chooseBreakEven(): void {
  for (const costs of document.querySelectorAll<HTMLElement>('.costs')) {
    const rows = JSON.parse(costs.dataset['costs'] ?? '[]') as readonly (CostsOfRow & { readonly name: string })[]
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
        cell.textContent = breakEvenWords(row && base && row !== base ? breakEven(row, base, unitOf(costs)) : null)
      })
    })
    select.parentElement.hidden = false
  }
}

const unitOf = ({ dataset }: HTMLElement): CostUnit => (dataset['unit'] === 'money' ? 'money' : 'tokens')

/** A figure with its own colours, which are made for white, on white: whoever shows the file may do so on black. */
function fileOf(figure: SVGElement): string {
  const alone = figure.cloneNode(true) as SVGElement
  const background = document.createElementNS('http://www.w3.org/2000/svg', 'rect')
  for (const [name, value] of Object.entries({ width: '100%', height: '100%', fill: '#ffffff' }))
    background.setAttribute(name, value)
  alone.prepend(background)
  return new XMLSerializer().serializeToString(alone)
}

/** Questions that the list shows at first, so that tables are near, and where the reader chose or wants more. */
const atFirst = 10
const atOnce = 100

const data = inert('data') as PageData
const [list, more, count] = [byId('list', HTMLElement), byId('more', HTMLButtonElement), byId('count', HTMLElement)]
const article = byId('question', HTMLElement)
const all = ['summary', 'questions', 'tables'].map((id) => byId(id, HTMLElement))
const parts = new Map<number, PagePart | undefined>()
const partOf = (question: number): PagePart | undefined => {
  const number = data.firstPart + Math.floor(question / data.perPart)
  if (!parts.has(number)) parts.set(number, inert(`part-${number}`) as PagePart | undefined)
  return parts.get(number)
}

let shown: readonly number[] = []
let length = atFirst
/** The question that was open last: the list gets the focus back there. */
let last: number | undefined

const { choice, search } = tools(data, () => {
  length = atOnce
  drawList()
})

function drawList(): void {
  const now = choice()
  shown = chosen(data, now)
  const items = shown.slice(0, length).map((question) => listItem(data, question, now.metric, () => go(question)))
  list.replaceChildren(...(items.length > 0 ? [listHead(data)] : []), ...items)
  count.textContent = `${shown.length} of ${data.questions.length} questions`
  more.hidden = shown.length <= length
  more.textContent = `Show ${Math.min(atOnce, shown.length - length)} more`
}

more.addEventListener('click', () => {
  const first = length
  length += atOnce
  drawList()
  buttons()[first]?.focus()
})

// on paper there is no button that shows more
window.addEventListener('beforeprint', () => {
  length = shown.length
  drawList()
})

const buttons = (): readonly HTMLButtonElement[] => [...list.querySelectorAll('button')]

function go(question: number): void {
  location.hash = `q=${encodeURIComponent(data.questions[question]?.id ?? '')}`
}

function follow(): void {
  const id = named(location.hash)
  const question = id === undefined ? -1 : data.questions.findIndex((one) => one.id === id)
  const file = question < 0 ? undefined : data.files?.[Math.floor(question / data.perPart)]
  if (file !== undefined) {
    location.replace(`${file}${location.hash}`)
    return
  }
  const part = question < 0 ? undefined : partOf(question)
  const isOpen = part !== undefined
  article.hidden = !isOpen
  for (const one of all) one.hidden = isOpen
  if (part) {
    const place = shown.indexOf(question)
    article.replaceChildren(
      ...questionView(data, question, part, {
        place,
        of: shown.length,
        back,
        step: stepFrom(question),
        metric: choice().metric,
      }),
    )
    last = question
    window.scrollTo(0, 0)
    article.focus({ preventScroll: true })
  } else {
    article.replaceChildren()
    const place = last === undefined ? -1 : shown.indexOf(last)
    last = undefined
    if (place >= length) {
      length = place + 1
      drawList()
    }
    if (place >= 0) buttons()[place]?.focus()
  }
}

function named(hash: string): string | undefined {
  if (!hash.startsWith('#q=')) return undefined
  try {
    return decodeURIComponent(hash.slice(3))
  } catch {
    return undefined
  }
}

function back(): void {
  if (data.home === undefined) location.hash = 'questions'
  else location.href = `${data.home}#questions`
}

const stepFrom = (question: number) => (by: number) => {
  const next = shown[shown.indexOf(question) + by]
  if (next !== undefined && shown.includes(question)) go(next)
}

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement
  if (event.key === 'Escape') {
    if (!article.hidden) back()
    else if (event.target === search && search.value !== '') {
      search.value = ''
      drawList()
    }
  } else if (event.key === '/' && !typing && article.hidden) {
    event.preventDefault()
    search.focus()
  } else if (!article.hidden && !typing && last !== undefined) {
    if (event.key === 'ArrowLeft') stepFrom(last)(-1)
    if (event.key === 'ArrowRight') stepFrom(last)(1)
  } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') moveInList(event)
})

function moveInList(event: KeyboardEvent): void {
  const listed = buttons()
  const at = listed.indexOf(document.activeElement as HTMLButtonElement)
  if (at < 0 && event.target !== search) return
  event.preventDefault()
  if (event.key === 'ArrowUp' && at <= 0) search.focus()
  else listed[event.key === 'ArrowDown' ? at + 1 : at - 1]?.focus()
}

saveFigures()
chooseBreakEven()
drawList()
window.addEventListener('hashchange', follow)
follow()
