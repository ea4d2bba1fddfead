/** Pure. The guide's answer: the section of the documentation that a question belongs to, as it is written. */
import type { ChatMessage } from '@chancery/contract/chats/completions.ts'
import { type FindSection, wordsOf } from './search-sections.ts'
import type { Section } from './sections.ts'

const notAModel =
  'I am the guide, a search through the documentation of this server. I am **not a language model**: I only know Chancery.'

const questions = `You can ask me, for example:

- What is Chancery?
- How do I connect a model?
- How do I create an API key?
- How do I invite a colleague?
- How do I send a document for signature?`

const greetings = new Set(wordsOf('hello hi hey hallo moin greetings help start begin good morning day evening'))
const thanks = new Set(wordsOf('thank thanks thx great bye danke cheers ok okay'))

export const answerTo = (messages: readonly ChatMessage[], find: FindSection): string => {
  const question = lastQuestion(messages)
  const words = wordsOf(question)
  const task = taskAnswer(question)
  if (task !== undefined) return task
  if (words.every((word) => greetings.has(word))) return `Hello, and welcome. ${notAModel}\n\n${questions}`
  const section = find(question)
  if (section) return shown(section)
  if (words.some((word) => thanks.has(word))) return 'You’re welcome.'
  return `I found nothing about that. ${notAModel}\n\n${questions}\n\nFor anything else, choose a language model in the list of models. If there is none yet, a platform admin can connect one.`
}

const longest = 2500

/** Of a long section its first paragraphs, and where the rest is. */
const shown = ({ page, heading, text }: Section): string => {
  const source = `docs/${page}`
  if (text.length <= longest) return page === 'guide.md' ? text : `${text}\n\nFrom \`${source}\`, “${heading}”.`
  const cut = text.lastIndexOf('\n\n', longest)
  const start = text.slice(0, cut > 0 ? cut : longest)
  const isOpen = (start.match(/^```/gm)?.length ?? 0) % 2 === 1
  return `${start}${isOpen ? '\n```' : ''}\n\nThe rest is in \`${source}\`, “${heading}”.`
}

const lastQuestion = (messages: readonly ChatMessage[]): string => {
  const content = messages.findLast(({ role }) => role === 'user')?.content
  if (!Array.isArray(content)) return content ?? ''
  return content.map((part) => (typeof part.text === 'string' ? part.text : '')).join(' ')
}

/** Requests that name a chat, tag it or ask for follow-ups want JSON of one key, and nothing else. */
const taskAnswer = (question: string): string | undefined => {
  if (!/\bjson\b/i.test(question)) return undefined
  const key = /"(title|tags|follow_ups)"\s*:/.exec(question)?.[1]
  if (key === 'title') return JSON.stringify({ title: 'Questions about Chancery' })
  if (key === 'tags') return JSON.stringify({ tags: ['chancery'] })
  return key === 'follow_ups' ? JSON.stringify({ follow_ups: ['How do I connect a model?'] }) : undefined
}
