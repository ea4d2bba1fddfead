/** Finds the JSON in a model's answer, and checks it with the schema that the workflow asks for. */
import { compileSchema, findSchemaProblem } from '#kernel/json/json-schema.ts'

interface Answer {
  text: string
  schema: Record<string, unknown>
}

type Found = { json: string } | { problem: string } | { schemaProblem: string }

export const compute = ({ text, schema }: Answer): Found => {
  const json = findJson(text)
  if (json === undefined) return { problem: "it isn't JSON." }
  const schemaProblem = findSchemaProblem(schema)
  if (schemaProblem !== undefined) return { schemaProblem }
  // The validator knows numbers only.
  const problem = compileSchema(schema)(JSON.parse(json))
  return problem === undefined ? { json } : { problem }
}

/** Models often wrap the JSON in a code fence or in text. */
const findJson = (text: string): string | undefined => {
  const fenced = /```(?:json)?([\s\S]*?)```/i.exec(text)?.[1]?.trim()
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
