/** JSON from a model: how it is requested, read and checked. Pure. */
import type { ChatMessage } from '@chancery/contract/completions.ts'
import { z } from 'zod'

export const schemaPrompt = (schema: Record<string, unknown>): string =>
  `Answer with one JSON value and nothing else, no explanation and no code fence. It must match this JSON Schema:\n${JSON.stringify(schema)}`

export const repairRequest = (problem: string): ChatMessage => ({
  role: 'user',
  content: `That was not valid: ${problem}\nAnswer again with the corrected JSON and nothing else.`,
})

export type Structured = { value: unknown } | { problem: string }

export const readStructured = (text: string, schema: Record<string, unknown>): Structured => {
  const value = readJson(text)
  if (value === undefined) return { problem: "it isn't JSON." }
  const read = schemaOf(schema).safeParse(value)
  return read.success ? { value } : { problem: z.prettifyError(read.error).slice(0, 1000) }
}

/** A schema that can't be read accepts anything. */
const schemaOf = (schema: Record<string, unknown>): z.ZodType => {
  try {
    return z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0])
  } catch {
    return z.unknown()
  }
}

/** Models often wrap the JSON in a code fence or in text. */
const readJson = (text: string): unknown => {
  const fenced = /```(?:json)?\s*([\s\S]*?)```/i.exec(text)?.[1]
  const from = text.search(/[[{]/)
  const to = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'))
  for (const candidate of [text, fenced, from >= 0 && to > from ? text.slice(from, to + 1) : undefined])
    try {
      if (candidate !== undefined) return JSON.parse(candidate)
    } catch {
      // The next candidate may be valid.
    }
  return undefined
}
