/** Finds the JSON in a model's answer, which may have code fences, reasoning or polite sentences around it. */
import { isJsonObject } from '#kernel/json/is-json-object.ts'
import { parseForeign } from '#kernel/json/parse-foreign.ts'
import { withoutBlocks } from './without-blocks.ts'

const candidates = (text: string): string[] => {
  const answer = withoutBlocks(text, '<think>', '</think>')
  const start = answer.indexOf('{')
  const end = answer.lastIndexOf('}')
  return [answer, start >= 0 && end > start ? answer.slice(start, end + 1) : '']
}

const readObject = (text: string): Record<string, unknown> => {
  for (const candidate of candidates(text))
    try {
      const value: unknown = parseForeign(candidate)
      if (isJsonObject(value)) return value
    } catch {
      // The next candidate may be valid.
    }
  return {}
}

/** Small models repeat the dots of the example; text without a letter or digit is ignored. */
const hasWords = (value: unknown): value is string => typeof value === 'string' && /[\p{L}\p{N}]/u.test(value)

const line = (value: unknown, maxLength: number): string =>
  hasWords(value)
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

/** The title when no model gives one: the start of the conversation. */
export const titleFrom = (firstText: string): string => {
  const words = line(firstText, 1000)
  return words.length > 60 ? `${words.slice(0, 59).trimEnd().toWellFormed()}…` : words
}
