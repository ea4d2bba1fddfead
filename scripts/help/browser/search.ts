/** The search field: results below it while one types, chosen with the arrow keys. */
import { type Found, findSections, type Section, wordsOf } from './find-sections.ts'

const base = document.documentElement.dataset.base ?? './'

/** What the API is about is for those who are signed in; others search without it. */
const read = async (name: string): Promise<Section[]> => {
  const reply = await fetch(base + name).catch(() => undefined)
  return reply?.ok ? reply.json() : []
}

let sections: Promise<Section[]> | undefined
const load = (): Promise<Section[]> => {
  sections ??= Promise.all([read('search.json'), read('api/search.json')]).then((parts) => parts.flat())
  return sections
}

/** The text with the words of the question marked. */
const withMarks = (text: string, words: readonly string[]): Node[] => {
  if (words.length === 0) return [document.createTextNode(text)]
  const parts = text.split(new RegExp(`(?<![\\p{L}\\p{N}])(${words.join('|')})`, 'giu'))
  return parts.map((part, at) => {
    if (at % 2 === 0) return document.createTextNode(part)
    const mark = document.createElement('mark')
    mark.textContent = part
    return mark
  })
}

const element = (tag: string, name: string, ...inside: Node[]): HTMLElement => {
  const made = document.createElement(tag)
  made.className = name
  made.append(...inside)
  return made
}

const optionFor = ({ section, excerpt }: Found, words: readonly string[], at: number): HTMLElement => {
  const option = document.createElement('a')
  option.href = base + section.p
  option.id = `result-${at}`
  option.role = 'option'
  option.tabIndex = -1
  const title = section.h === section.t ? '' : ` · ${section.t}`
  const head = element('span', 'result-head', ...withMarks(section.h, words))
  head.append(element('span', 'soft', document.createTextNode(title)))
  option.append(head, element('span', 'excerpt', ...withMarks(excerpt, words)))
  return option
}

export const startSearch = (input: HTMLInputElement, list: HTMLElement): void => {
  let options: HTMLElement[] = []
  let chosen = -1
  let asked = ''
  const choose = (at: number): void => {
    options[chosen]?.setAttribute('aria-selected', 'false')
    chosen = at
    const option = options[at]
    option?.setAttribute('aria-selected', 'true')
    option?.scrollIntoView({ block: 'nearest' })
    if (option) input.setAttribute('aria-activedescendant', option.id)
    else input.removeAttribute('aria-activedescendant')
  }
  const show = (isShown: boolean): void => {
    list.hidden = !isShown
    input.setAttribute('aria-expanded', String(isShown))
  }
  const search = async (): Promise<void> => {
    asked = input.value
    const found = findSections(await load(), asked)
    // Another key was pressed meanwhile.
    if (asked !== input.value) return
    const words = wordsOf(asked)
    options = found.map((one, at) => optionFor(one, words, at))
    const none = element('p', 'nothing', document.createTextNode(`Nothing about “${asked.trim()}”`))
    list.replaceChildren(...(options.length > 0 ? options : [none]))
    choose(options.length > 0 ? 0 : -1)
    show(asked.trim() !== '')
  }
  input.disabled = false
  input.addEventListener('focus', () => void load())
  input.addEventListener('input', () => void search())
  input.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      const step = event.key === 'ArrowDown' ? 1 : -1
      if (options.length > 0) choose((chosen + step + options.length) % options.length)
    } else if (event.key === 'Enter') options[chosen]?.click()
    else if (event.key === 'Escape') {
      if (list.hidden) input.blur()
      show(false)
    }
  })
  list.addEventListener('click', () => show(false))
  document.addEventListener('click', (event) => {
    if (event.target instanceof Node && !input.parentElement?.contains(event.target)) show(false)
  })
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLElement && event.target.closest('input, textarea, [contenteditable]')
    const isPalette = event.key === 'k' && (event.metaKey || event.ctrlKey)
    if (!isPalette && (isTyping || event.key !== '/')) return
    event.preventDefault()
    input.focus()
    input.select()
  })
}
