/**
 * JSON Schemas that somebody else wrote, such as the output schemas of agents: JSON Schema 2020-12, checked in full. To
 * compile one or to check a value can take any time, so only computations may (kernel/compute). Pure.
 */
import { Ajv2020 } from 'ajv/dist/2020.js'

type Schema = Record<string, unknown>

/** Returns the errors of a value, or undefined when it matches. */
export type CheckValue = (value: unknown) => string | undefined

const maxErrorLength = 1000
const maxCached = 100
/** A larger one is compiled each time. */
const maxCachedLength = 20_000
const cache = new Map<string, CheckValue>()

/** A pattern that repeats a repetition can take exponential time on a text that almost matches. */
const nestedRepetition = /\([^()]*[+*}][^()]*\)\s*[+*{]/

const findPattern = (value: unknown): string | undefined => {
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, one] of Object.entries(value)) {
    if (key === 'pattern' && typeof one === 'string' && nestedRepetition.test(one)) return one
    if (key === 'patternProperties' && typeof one === 'object' && one !== null) {
      const found = Object.keys(one).find((pattern) => nestedRepetition.test(pattern))
      if (found !== undefined) return found
    }
    const found = findPattern(one)
    if (found !== undefined) return found
  }
  return undefined
}

/** Throws when it isn't a schema. A new instance each time, since an instance keeps every schema it has compiled. */
const compile = (schema: Schema): CheckValue => {
  const pattern = findPattern(schema)
  if (pattern !== undefined) throw new Error(`the pattern ${pattern} repeats a repetition, which may take too long`)
  const ajv = new Ajv2020({ strict: false, allErrors: true, logger: false, validateFormats: false })
  const validate = ajv.compile(schema)
  return (value) =>
    validate(value) ? undefined : ajv.errorsText(validate.errors, { dataVar: 'value' }).slice(0, maxErrorLength)
}

/** Throws an Error when it isn't a schema. */
export const compileSchema = (schema: Schema): CheckValue => {
  const key = JSON.stringify(schema)
  const known = cache.get(key)
  if (known) return known
  const check = compile(schema)
  if (key.length > maxCachedLength) return check
  if (cache.size >= maxCached) cache.clear()
  cache.set(key, check)
  return check
}

/** The problem of a schema; undefined when it can be used. */
export const findSchemaProblem = (schema: Schema): string | undefined => {
  try {
    compileSchema(schema)
    return undefined
  } catch (problem) {
    const message = problem instanceof Error ? problem.message : String(problem)
    return `isn't a valid JSON Schema: ${message.slice(0, maxErrorLength)}`
  }
}
