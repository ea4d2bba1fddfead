/**
 * Variables such as `{{USER_NAME}}`, as at the other doors: the caller's in the request's texts, and those that the server
 * knows in the model's own system prompt too. Pure.
 */
import { isJsonObject } from '#kernel/json/is-json-object.ts'
import { fillIn, growthBudget, knownVariables, readVariables } from '#modules/completions/index.ts'
import type { Fields, ModelDefaults } from './model-defaults.ts'

/** Fields with text in a request of any of the formats. */
const textFields = ['messages', 'prompt', 'system', 'instructions', 'input'] as const

interface Filled {
  body: Fields
  defaults: ModelDefaults
}

export const fillVariables = (
  { variables, ...body }: Fields,
  { params, system }: ModelDefaults,
  known: { userName: string; now: Date },
): Filled => {
  const given = readVariables(isJsonObject(variables) ? variables : undefined)
  const all = new Map([...knownVariables(known), ...given])
  const budget = growthBudget()
  const fillText = (text: string) => fillIn(text, given, budget)
  const filled = { ...body }
  if (given.size > 0)
    for (const name of textFields) if (body[name] !== undefined) filled[name] = fillTexts(body[name], fillText)
  return { body: filled, defaults: { params, system: system === null ? null : fillIn(system, all, budget) } }
}

/** Texts, and the texts of messages and their parts; other fields stay as they are. */
const fillTexts = (value: unknown, fillText: (text: string) => string): unknown => {
  if (typeof value === 'string') return fillText(value)
  if (Array.isArray(value)) return value.map((one) => fillTexts(one, fillText))
  if (!isJsonObject(value)) return value
  const { content, text } = value
  return {
    ...value,
    ...(content !== undefined && { content: fillTexts(content, fillText) }),
    ...(typeof text === 'string' && { text: fillText(text) }),
  }
}
