import { memoise } from '../../../basics/memoise.ts'
import { button, byId, element, fill, inert, unpackJson } from '../../client/dom.ts'
import { perPart, type PageData } from '../page-data.ts'
import { filterControls, listHead, listItem } from './question-list.ts'
import { nameOf, selectQuestions } from './select-questions.ts'

/** Questions listed at first, so that the tables are near, and after a change or "more". */
const firstLength = 10
const stepLength = 100

const data = inert('data') as PageData
const list = byId('list', HTMLElement)
const more = byId('more', HTMLButtonElement)
const search = byId('search', HTMLInputElement)
const article = byId('question', HTMLElement)
const sections = ['summary', 'questions', 'tables'].map((id) => byId(id, HTMLElement))

let hits: readonly number[] = []
/** The question opened last; the list focuses it on return. */
let last: number | undefined

const choice = filterControls(data, () => drawList(stepLength))

function drawList(length: number) {
  const now = choice()
  hits = selectQuestions(data, now)
  const items = hits.slice(0, length).map((question) => listItem(data, question, now.metric, () => open(question)))
  fill(list, items.length > 0 && listHead(data), items)
  byId('count', HTMLElement).textContent = `${hits.length} of ${data.questions.length} questions`
  more.hidden = hits.length <= length
  more.textContent = `Show ${Math.min(stepLength, hits.length - length)} more`
}

const buttons = (): readonly HTMLButtonElement[] => [...list.querySelectorAll('button')]

more.addEventListener('click', () => {
  const first = buttons().length
  drawList(first + stepLength)
  buttons()[first]?.focus()
})

// a printed page has no button for more
window.addEventListener('beforeprint', () => drawList(hits.length))

function open(question: number) {
  location.hash = `q=${encodeURIComponent(data.questions[question]?.id ?? '')}`
}

/** Opens the question of the address, or the list. */
async function follow() {
  const { hash } = location
  const id = new URLSearchParams(hash.slice(1).replaceAll('+', '%2B')).get('q')
  const question = data.questions.findIndex((candidate) => candidate.id === id)
  const isThere = question >= 0
  const part = isThere ? await partOf(Math.floor(question / perPart)) : []
  // the reader has gone on
  if (location.hash !== hash) return
  article.hidden = !isThere
  for (const section of sections) section.hidden = isThere
  if (isThere) openQuestion(question, part?.[question % perPart])
  else backToList()
}

const partOf = memoise((number: number) => unpackJson(`part-${number}`) as Promise<readonly string[] | undefined>)

function openQuestion(question: number, html = 'This page has no details of this question.') {
  const place = hits.indexOf(question)
  const id = data.questions[question]?.id ?? ''
  const details = element('div', {})
  // the report escapes every text in it
  details.innerHTML = html
  fill(
    article,
    element(
      'nav',
      { 'aria-label': 'Questions' },
      button({}, back, '← All questions'),
      button({ disabled: place <= 0 }, () => step(question, -1), 'Previous'),
      button({ disabled: place >= hits.length - 1 }, () => step(question, 1), 'Next'),
      element('span', { class: 'note' }, place >= 0 ? `${place + 1} of ${hits.length} · ${id}` : id),
    ),
    element('h2', {}, nameOf(data, question)),
    details,
  )
  last = question
  window.scrollTo(0, 0)
  article.focus({ preventScroll: true })
}

function backToList() {
  fill(article)
  const place = last === undefined ? -1 : hits.indexOf(last)
  last = undefined
  if (place >= buttons().length) drawList(place + 1)
  buttons()[place]?.focus()
}

function back() {
  location.hash = 'questions'
}

function step(from: number, by: number) {
  const next = hits[hits.indexOf(from) + by]
  if (next !== undefined && hits.includes(from)) open(next)
}

document.addEventListener('keydown', (event) => {
  const { key, target } = event
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const isTyping = target instanceof HTMLInputElement || target instanceof HTMLSelectElement
  if (!article.hidden) {
    if (key === 'Escape') back()
    const by = { ArrowLeft: -1, ArrowRight: 1 }[key]
    if (by !== undefined && last !== undefined) step(last, by)
  } else if (key === 'Escape' && target === search) {
    search.value = ''
    drawList(stepLength)
  } else if (key === '/' && !isTyping) {
    event.preventDefault()
    search.focus()
  } else if (key === 'ArrowDown' || key === 'ArrowUp') moveInList(event)
})

function moveInList(event: KeyboardEvent) {
  const items = buttons()
  const at = items.findIndex((item) => item === document.activeElement)
  if (at < 0 && event.target !== search) return
  event.preventDefault()
  if (event.key === 'ArrowUp' && at <= 0) search.focus()
  else items[event.key === 'ArrowDown' ? at + 1 : at - 1]?.focus()
}

drawList(firstLength)
window.addEventListener('hashchange', () => void follow())
void follow()
