import { byId, inert } from '../../client/dom.ts'
import { unpackPart, type PageData, type PagePart, type PartQuestion } from '../page-data.ts'
import { chosen, tools } from './choose.ts'
import { chooseBreakEven, saveFigures } from './controls.ts'
import { listHead, listItem } from './question-list.ts'
import { questionViews } from './question-view.ts'

/** Questions that the list shows at first, so that tables are near, and where the reader chose or wants more. */
const atFirst = 10
const atOnce = 100

const data = inert('data') as PageData
const [list, more, count] = [byId('list', HTMLElement), byId('more', HTMLButtonElement), byId('count', HTMLElement)]
const article = byId('question', HTMLElement)
const sections = ['summary', 'questions', 'tables'].map((id) => byId(id, HTMLElement))
const viewOf = questionViews(data)

let shown: readonly number[] = []
let length = atFirst
/** The question that is open, or was open last: the list gets the focus back there. */
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

/** Shows what the address names: a question, in this page or in that of its part, or the list. */
function follow(): void {
  const id = new URLSearchParams(location.hash.slice(1).replaceAll('+', '%2B')).get('q')
  const question = data.questions.findIndex((listed) => listed.id === id)
  const number = Math.floor(question / data.perPart)
  const file = data.files?.[number]
  if (file !== undefined) {
    location.replace(`${file}${location.hash}`)
    return
  }
  const part = partOf(data.firstPart + number)
  article.hidden = part === undefined
  for (const section of sections) section.hidden = part !== undefined
  if (part) openQuestion(question, part)
  else backToList()
}

const parts = new Map<number, readonly PartQuestion[]>()

function partOf(number: number): readonly PartQuestion[] | undefined {
  const packed = parts.has(number) ? undefined : inert(`part-${number}`)
  if (packed !== undefined) parts.set(number, unpackPart(packed as PagePart))
  return parts.get(number)
}

function openQuestion(question: number, part: readonly PartQuestion[]): void {
  const position = { place: shown.indexOf(question), of: shown.length, back, step: (by: number) => step(question, by) }
  article.replaceChildren(...viewOf(question, part, choice().metric, position))
  last = question
  window.scrollTo(0, 0)
  article.focus({ preventScroll: true })
}

function backToList(): void {
  article.replaceChildren()
  const place = last === undefined ? -1 : shown.indexOf(last)
  last = undefined
  if (place >= length) {
    length = place + 1
    drawList()
  }
  buttons()[place]?.focus()
}

function back(): void {
  if (data.home === undefined) location.hash = 'questions'
  else location.href = `${data.home}#questions`
}

function step(from: number, by: number): void {
  const next = shown[shown.indexOf(from) + by]
  if (next !== undefined && shown.includes(from)) go(next)
}

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement
  if (event.key === 'Escape' && !article.hidden) back()
  else if (event.key === 'Escape' && event.target === search) {
    search.value = ''
    drawList()
  } else if (event.key === '/' && !isTyping && article.hidden) {
    event.preventDefault()
    search.focus()
  } else if (!article.hidden && !isTyping && last !== undefined) {
    if (event.key === 'ArrowLeft') step(last, -1)
    if (event.key === 'ArrowRight') step(last, 1)
  } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') moveInList(event)
})

function moveInList(event: KeyboardEvent): void {
  const items = buttons()
  const at = items.findIndex((item) => item === document.activeElement)
  if (at < 0 && event.target !== search) return
  event.preventDefault()
  if (event.key === 'ArrowUp' && at <= 0) search.focus()
  else items[event.key === 'ArrowDown' ? at + 1 : at - 1]?.focus()
}

saveFigures()
chooseBreakEven()
drawList()
window.addEventListener('hashchange', follow)
follow()
