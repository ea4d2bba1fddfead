/**
 * Variables such as `{{USER_NAME}}` in prompts. A value is plain text and is not searched for variables again, so nobody's
 * name can bring in another variable.
 */
import type { ChatMessage } from '@chancery/contract/chats/completions.ts'
import { AppError } from '#kernel/errors.ts'
import { createTextBudget, type TextBudget } from '#kernel/text-budget.ts'

export type Variables = ReadonlyMap<string, string>

const pattern = /\{\{[A-Z][A-Z0-9_]{0,59}\}\}/g
const isName = (key: string): boolean => /^\{\{[A-Z][A-Z0-9_]{0,59}\}\}$/.test(key)
const maxLength = 10_000

/** Keys have braces, as in the contract; keys without them mean the same. */
export const readVariables = (given: Record<string, unknown> | null | undefined): Variables => {
  const variables = new Map<string, string>()
  for (const [key, value] of Object.entries(given ?? {})) {
    const name = key.startsWith('{{') ? key : `{{${key}}}`
    if (isName(name) && ['string', 'number', 'boolean'].includes(typeof value))
      variables.set(name, String(value).slice(0, maxLength))
  }
  return variables
}

interface Known {
  userName: string
  now: Date
}

/** The server's own values, for variables that the caller didn't send. */
export const knownVariables = ({ userName, now }: Known): Variables =>
  new Map([
    ['{{USER_NAME}}', userName],
    ['{{USER_LANGUAGE}}', 'en'],
    ['{{CURRENT_DATETIME}}', `${now.toISOString().slice(0, 19).replace('T', ' ')}`],
    ['{{CURRENT_TIMEZONE}}', 'UTC'],
  ])

/** In characters, by which variables may lengthen the texts of one request. */
const maxGrowth = 8 * 1024 * 1024

/** One for all texts of a request. */
export const growthBudget = (): TextBudget => createTextBudget(maxGrowth, () => new AppError('text_too_long'))

/** The budget is charged before anything is replaced. */
export const fillIn = (text: string, variables: Variables, budget: TextBudget): string => {
  if (!text.includes('{{')) return text
  for (const [name] of text.matchAll(pattern)) {
    const growth = (variables.get(name)?.length ?? 0) - name.length
    if (growth > 0) budget.charge(growth)
  }
  return text.replace(pattern, (name) => variables.get(name) ?? name)
}

export const fillInMessages = (messages: ChatMessage[], variables: Variables, budget: TextBudget): ChatMessage[] =>
  variables.size === 0 ? messages : messages.map((message) => fillInMessage(message, variables, budget))

const fillInMessage = (message: ChatMessage, variables: Variables, budget: TextBudget): ChatMessage => {
  const { content } = message
  if (typeof content === 'string') return { ...message, content: fillIn(content, variables, budget) }
  if (!Array.isArray(content)) return message
  const parts = content.map((part) =>
    typeof part.text === 'string' ? { ...part, text: fillIn(part.text, variables, budget) } : part,
  )
  return { ...message, content: parts }
}
