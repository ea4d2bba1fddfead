/** The body of an OpenAPI operation: which arguments it is made of, and how they are sent. Pure. */
import { isJsonObject } from '#kernel/json/is-json-object.ts'

type Json = Record<string, unknown>

const encodings = ['json', 'form', 'multipart'] as const
type Encoding = (typeof encodings)[number]

export interface OperationBody {
  encoding: Encoding
  /** The argument that is the whole body; null where the body's own fields are arguments. */
  argument: string | null
  properties: Json
  required: string[]
}

const encodingOf = (contentType: string): Encoding | undefined => {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (type === 'application/x-www-form-urlencoded') return 'form'
  if (type === 'multipart/form-data') return 'multipart'
  return type === '*/*' || /^application\/([\w.+-]+\+)?json$/.test(type) ? 'json' : undefined
}

/** Undefined where there is none, or none that can be made of arguments. */
export const readBody = (body: unknown, taken: ReadonlySet<string>): OperationBody | undefined => {
  if (!isJsonObject(body) || !isJsonObject(body.content)) return undefined
  const offered = Object.entries(body.content).flatMap(([type, content]) => {
    const encoding = encodingOf(type)
    return encoding && isJsonObject(content) ? [{ encoding, schema: merged(content.schema) }] : []
  })
  const [best] = offered.sort((one, other) => encodings.indexOf(one.encoding) - encodings.indexOf(other.encoding))
  if (!best) return undefined
  const { encoding, schema } = best
  const { properties } = schema
  if (isPlainObject(schema) && isJsonObject(properties) && !Object.keys(properties).some((name) => taken.has(name)))
    return { encoding, argument: null, properties, required: listIn(schema.required).map(String) }
  const argument = taken.has('body') ? 'request_body' : 'body'
  return {
    encoding,
    argument,
    properties: { [argument]: schema },
    required: body.required === true ? [argument] : [],
  }
}

const isPlainObject = ({ type, oneOf, anyOf }: Json): boolean =>
  (type === undefined || type === 'object') && oneOf === undefined && anyOf === undefined

/** `allOf` as one schema: its parts' fields are all fields of the object. */
const merged = (schema: unknown): Json => {
  if (!isJsonObject(schema)) return {}
  const { allOf, ...own } = schema
  if (!Array.isArray(allOf)) return schema
  const all = [...allOf.map(merged), own]
  const properties = all.flatMap((part) => (isJsonObject(part.properties) ? [part.properties] : []))
  const required = [...new Set(all.flatMap((part) => listIn(part.required)))]
  return Object.assign({}, ...all, {
    ...(properties.length > 0 && { properties: Object.assign({}, ...properties) }),
    ...(required.length > 0 && { required }),
  })
}

export const listIn = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

export interface SentBody {
  contentType: string
  text: string
}

/** `args` are those that went nowhere else. `boundary` must be one that no value can contain. */
export const writeBody = (
  { encoding, argument }: Pick<OperationBody, 'encoding' | 'argument'>,
  args: Json,
  boundary: string,
): SentBody | undefined => {
  const value = argument === null ? args : args[argument]
  if (value === undefined) return undefined
  if (encoding === 'json') return { contentType: 'application/json', text: JSON.stringify(value) }
  const fields = isJsonObject(value) ? fieldsOf(value) : []
  return encoding === 'form'
    ? { contentType: 'application/x-www-form-urlencoded', text: String(new URLSearchParams(fields)) }
    : { contentType: `multipart/form-data; boundary=${boundary}`, text: multipart(fields, boundary) }
}

const fieldsOf = (value: Json): [string, string][] =>
  Object.entries(value).flatMap(([name, one]) =>
    one === null || one === undefined
      ? []
      : (Array.isArray(one) ? one : [one]).map((each): [string, string] => [name, textOf(each)]),
  )

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** As browsers escape the names of fields. */
const fieldName = (name: string): string =>
  name.replace(/["\r\n]/g, (letter) => (letter === '"' ? '%22' : letter === '\r' ? '%0D' : '%0A'))

const multipart = (fields: readonly [string, string][], boundary: string): string => {
  const parts = fields.map(
    ([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${fieldName(name)}"\r\n\r\n${value}\r\n`,
  )
  return `${parts.join('')}--${boundary}--\r\n`
}
