/** Reads the JSON out of what a model says when it is asked for JSON: fences, thoughts and politeness around it. */
import { isJsonObject } from '#kernel/json/is-json-object.ts'

const candidates = (text: string): string[] => {
  const answer = text.replace(/<think>[\s\S]*?<\/think>/g, '')
  const start = answer.indexOf('{')
  const end = answer.lastIndexOf('}')
  return [answer, start >= 0 && end > start ? answer.slice(start, end + 1) : '']
}

const readObject = (text: string): Record<string, unknown> => {
  for (const candidate of candidates(text))
    try {
      const value: unknown = JSON.parse(candidate)
      if (isJsonObject(value)) return value
    } catch {
      // The next candidate may be one.
    }
  return {}
}

/** Small models give the dots of the example back: what says nothing is nothing. */
const saysSomething = (value: unknown): value is string => typeof value === 'string' && /[\p{L}\p{N}]/u.test(value)

const line = (value: unknown, maxLength: number): string =>
  saysSomething(value)
    ? value
        .replace(/[\s\p{Cc}]+/gu, ' ')
        .trim()
        .slice(0, maxLength)
        .toWellFormed()
    : ''

const lines = (value: unknown, { maxItems, maxLength }: { maxItems: number; maxLength: number }): string[] => {
  if (!Array.isArray(value)) return []
  return [...new Set(value.map((item) => line(item, maxLength)).filter((item) => item !== ''))].slice(0, maxItems)
}

export const readTitle = (text: string): string => line(readObject(text).title, 100).replace(/^["'“]+|["'”]+$/g, '')
export const readTags = (text: string): string[] => [
  ...new Set(lines(readObject(text).tags, { maxItems: 5, maxLength: 60 }).map((tag) => tag.toLowerCase())),
]
export const readFollowUps = (text: string): string[] =>
  lines(readObject(text).follow_ups, { maxItems: 5, maxLength: 300 })

/** A title when no model gives one: how the conversation began. */
export const titleFrom = (firstWords: string): string => {
  const words = line(firstWords, 1000)
  return words.length > 60 ? `${words.slice(0, 59).trimEnd().toWellFormed()}…` : words
}
