/** JSON from a model: how it is requested, read and checked. Pure. */

import type { ChatMessage } from '@chancery/contract/chats/completions.ts'
import { parseExactly } from '#kernel/json/exact-integers.ts'
import { compileSchema, findSchemaProblem } from '#modules/workflow-graph/index.ts'
import { NodeFailure } from '../core/backoff.ts'

export const schemaPrompt = (schema: Record<string, unknown>): string =>
  `Answer with one JSON value and nothing else, no explanation and no code fence. It must match this JSON Schema:\n${JSON.stringify(schema)}`

export const repairRequest = (problem: string): ChatMessage => ({
  role: 'user',
  content: `That was not valid: ${problem}\nAnswer again with the corrected JSON and nothing else.`,
})

export type Structured = { value: unknown } | { problem: string }

/** Throws when the schema isn't one. Validation refuses it, but a graph may have been published before it did. */
export const readStructured = (text: string, schema: Record<string, unknown>): Structured => {
  const json = findJson(text)
  if (json === undefined) return { problem: "it isn't JSON." }
  const invalid = findSchemaProblem(schema)
  if (invalid !== undefined) throw new NodeFailure(`The output schema ${invalid}`, { canRetry: false })
  // The validator knows numbers only.
  const problem = compileSchema(schema)(JSON.parse(json))
  return problem === undefined ? { value: parseExactly(json) } : { problem }
}

/** Models often wrap the JSON in a code fence or in text. */
const findJson = (text: string): string | undefined => {
  const fenced = /```(?:json)?\s*([\s\S]*?)```/i.exec(text)?.[1]
  const from = text.search(/[[{]/)
  const to = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'))
  for (const candidate of [text, fenced, from >= 0 && to > from ? text.slice(from, to + 1) : undefined])
    try {
      if (candidate === undefined) continue
      JSON.parse(candidate)
      return candidate
    } catch {
      // The next candidate may be valid.
    }
  return undefined
}
