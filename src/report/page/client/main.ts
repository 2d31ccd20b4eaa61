import { memoise } from '../../../basics/memoise.ts'
import { byId, inert, unpackJson } from '../../client/dom.ts'
import type { PageData, PartQuestion } from '../page-data.ts'
import { selectQuestions, filterControls } from './select-questions.ts'
import { chooseBreakEven, saveFigures } from './controls.ts'
import { listHead, listItem } from './question-list.ts'
import { questionView } from './question-view.ts'

/** Questions listed at first, so that the tables are near, and after a change or "more". */
const firstLength = 10
const stepLength = 100

const data = inert('data') as PageData
const [list, more, count] = [byId('list', HTMLElement), byId('more', HTMLButtonElement), byId('count', HTMLElement)]
const article = byId('question', HTMLElement)
const sections = ['summary', 'questions', 'tables'].map((id) => byId(id, HTMLElement))

let hits: readonly number[] = []
let length = firstLength
/** The question opened last; the list focuses it on return. */
let last: number | undefined

const { choice, search } = filterControls(data, () => {
  length = stepLength
  drawList()
})

function drawList(): void {
  const now = choice()
  hits = selectQuestions(data, now)
  const items = hits.slice(0, length).map((question) => listItem(data, question, now.metric, () => open(question)))
  list.replaceChildren(...(items.length > 0 ? [listHead(data)] : []), ...items)
  count.textContent = `${hits.length} of ${data.questions.length} questions`
  more.hidden = hits.length <= length
  more.textContent = `Show ${Math.min(stepLength, hits.length - length)} more`
}

more.addEventListener('click', () => {
  const first = length
  length += stepLength
  drawList()
  buttons()[first]?.focus()
})

// a printed page has no button for more
window.addEventListener('beforeprint', () => {
  length = hits.length
  drawList()
})

const buttons = (): readonly HTMLButtonElement[] => [...list.querySelectorAll('button')]

function open(question: number): void {
  location.hash = `q=${encodeURIComponent(data.questions[question]?.id ?? '')}`
}

/** Opens the question of the address, in this page or the page of its part, or the list. */
async function follow(): Promise<void> {
  const { hash } = location
  const id = new URLSearchParams(hash.slice(1).replaceAll('+', '%2B')).get('q')
  const question = data.questions.findIndex((candidate) => candidate.id === id)
  const number = Math.floor(question / data.perPart)
  const file = data.files?.[number]
  if (file !== undefined) {
    location.replace(`${file}${hash}`)
    return
  }
  const part = await partOf(data.firstPart + number)
  // the reader has gone on
  if (location.hash !== hash) return
  article.hidden = part === undefined
  for (const section of sections) section.hidden = part !== undefined
  if (part) openQuestion(question, part)
  else backToList()
}

const partOf = memoise((number: number) => unpackJson(`part-${number}`) as Promise<readonly PartQuestion[] | undefined>)

function openQuestion(question: number, part: readonly PartQuestion[]): void {
  const position = { place: hits.indexOf(question), of: hits.length, back, step: (by: number) => step(question, by) }
  article.replaceChildren(...questionView(data, question, part[question % data.perPart], choice().metric, position))
  last = question
  window.scrollTo(0, 0)
  article.focus({ preventScroll: true })
}

function backToList(): void {
  article.replaceChildren()
  const place = last === undefined ? -1 : hits.indexOf(last)
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
  const next = hits[hits.indexOf(from) + by]
  if (next !== undefined && hits.includes(from)) open(next)
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
window.addEventListener('hashchange', () => void follow())
void follow()
