/**
 * Completes the names in expressions and templates: what a run has, the fields of a recent event, and the results of
 * earlier nodes. Pure.
 */

/** Known values of a run. Undefined where there is no sample. */
export interface Known {
  payload: unknown
  event: unknown
  input: unknown
  /** By the ID of the node. */
  state: Readonly<Record<string, unknown>>
}

export type Notation = 'expression' | 'template'

export interface Completion {
  id: string
  /** Replaces the text from here to the caret. */
  from: number
  text: string
  /** A sample of the value; the names of an object's fields. */
  detail: string
}

export type Key = string | number
interface Typed {
  from: number
  path: readonly Key[]
  /** The beginning of the next name; undefined where the path is complete and its fields are next. */
  partial: string | undefined
}

const most = 30

export function completionsAt(text: string, caret: number, how: { notation: Notation; known: Known }): Completion[] {
  const { notation, known } = how
  const typed = (notation === 'expression' ? expressionBefore : placeholderBefore)(text.slice(0, caret))
  if (!typed) return []
  const roots: Record<string, unknown> = { ...known, ...(notation === 'template' && known.state) }
  const parent = valueAt(roots, typed.path)
  const wanted = typed.partial?.toLowerCase() ?? ''
  return fieldsOf(parent)
    .filter(([key]) => String(key).toLowerCase().startsWith(wanted) && !(typed.path.length === 0 && key === wanted))
    .slice(0, most)
    .map(([key, value]) => {
      const written = writePath([...typed.path, key], notation)
      return { id: written, from: typed.from, text: written, detail: sampleOf(value) }
    })
}

const step = /\[(?:"([^"\\]*)"|'([^'\\]*)'|(\d{1,6}))\]/g
const chain = /(?<![\w\])"'.])([A-Za-z_]\w*)((?:\[(?:"[^"\\]*"|'[^'\\]*'|\d{1,6})\])*)(?:(\[)["']?([^"'[\]]*))?$/

/** `pay`, `payload["customer"]` or `payload["cus`, unless it is inside a text. */
function expressionBefore(before: string): Typed | undefined {
  const [whole, root = '', steps = '', opening, key = ''] = chain.exec(before) ?? []
  if (whole === undefined) return undefined
  const from = before.length - whole.length
  if (isInsideText(before.slice(0, from))) return undefined
  const keys = [...steps.matchAll(step)].map(([, one, other, index]) =>
    index === undefined ? (one ?? other ?? '') : Number(index),
  )
  if (opening !== undefined) return { from, path: [root, ...keys], partial: key }
  if (keys.length > 0 || isRoot(root)) return { from, path: [root, ...keys], partial: undefined }
  return { from, path: [], partial: root }
}

const isRoot = (name: string) => ['payload', 'event', 'input', 'state'].includes(name)
const isInsideText = (text: string) =>
  (text.match(/"/g) ?? []).length % 2 === 1 || (text.match(/'/g) ?? []).length % 2 === 1

/** The text after the last `{{` that is still open: `pay`, `payload.cus` or `payload.items[0].`. */
function placeholderBefore(before: string): Typed | undefined {
  const open = before.lastIndexOf('{{')
  if (open < 0 || before.indexOf('}}', open) >= 0) return undefined
  const inside = before.slice(open + 2)
  const typed = inside.trimStart()
  if (!/^(?:[\w-]+(?:\[\d{1,6}\]|\["[^"]*"\])*\.)*[\w-]*$/.test(typed)) return undefined
  const from = before.length - typed.length
  const names = typed.split('.')
  const partial = names.pop() ?? ''
  return { from, path: names.flatMap(keysIn), partial }
}

/** `items[0]` is two keys. */
const keysIn = (part: string): Key[] => {
  const [name = ''] = /^[\w-]+/.exec(part) ?? []
  const inner = [...part.matchAll(step)].map(([, one, , index]) => (index === undefined ? (one ?? '') : Number(index)))
  return [name, ...inner]
}

function valueAt(values: unknown, path: readonly Key[]): unknown {
  let value = values
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<Key, unknown>)[key]
  }
  return value
}

const fieldsOf = (value: unknown): [Key, unknown][] => {
  if (Array.isArray(value)) return value.slice(0, 1).map((item): [Key, unknown] => [0, item])
  return typeof value === 'object' && value !== null ? Object.entries(value) : []
}

/** As it is written in an expression or a template. */
export const writePath = ([root, ...keys]: readonly Key[], notation: Notation): string =>
  `${root}${keys.map((key) => (notation === 'expression' ? inBrackets(key) : asField(key))).join('')}`

const inBrackets = (key: Key) => `[${typeof key === 'number' ? key : JSON.stringify(key)}]`
const asField = (key: Key) => (typeof key === 'string' && /^[\w-]+$/.test(key) ? `.${key}` : inBrackets(key))

const sampleOf = (value: unknown): string => {
  if (value === undefined) return ''
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return short(Object.keys(value).join(', '))
  return short(JSON.stringify(value) ?? '')
}

const short = (text: string) => (text.length > 40 ? `${text.slice(0, 39)}…` : text)
