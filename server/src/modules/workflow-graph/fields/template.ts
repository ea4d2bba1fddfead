/**
 * Texts with placeholders: `Dear {{ payload.name }}`. A placeholder is a path, not an expression: names joined by
 * dots, list indexes and other keys in brackets (`items[0]`, `headers["x-id"]`). Pure.
 */
import { lengthLeft } from '#kernel/json/length-left.ts'
import type { TextBudget } from '#kernel/text-budget.ts'

export type Path = readonly (string | number)[]
export type Template = readonly (string | { path: Path })[]

export class TemplateError extends Error {
  override readonly name = 'TemplateError'
}

const opening = '{{'
const closing = '}}'

/** Throws a TemplateError. */
export const parseTemplate = (text: string): Template => {
  const parts: (string | { path: Path })[] = []
  let at = 0
  for (let open = text.indexOf(opening); open >= 0; open = text.indexOf(opening, at)) {
    const close = text.indexOf(closing, open)
    if (close < 0) throw new TemplateError(`"{{" at character ${open + 1} is never closed by "}}"`)
    if (open > at) parts.push(text.slice(at, open))
    parts.push({ path: readPlaceholder(text, open, close) })
    at = close + closing.length
  }
  if (at < text.length) parts.push(text.slice(at))
  return parts
}

const step = /([A-Za-z0-9_-]+)|\[(\d{1,9})\]|\["([^"\]]*)"\]/y

/** The message gives the position and not the text, which may be a secret. */
const readPlaceholder = (text: string, open: number, close: number): Path => {
  const path = parsePath(text.slice(open + opening.length, close).trim())
  if (path) return path
  throw new TemplateError(`the placeholder at character ${open + 1} isn't a path such as {{ payload.name }}`)
}

const parsePath = (text: string): Path | undefined => {
  const path: (string | number)[] = []
  for (let at = 0; path.length === 0 || at < text.length; at = step.lastIndex) {
    const isNamed = path.length === 0 || text[at] === '.'
    step.lastIndex = path.length > 0 && isNamed ? at + 1 : at
    const [, name, index, key] = step.exec(text) ?? []
    if (isNamed ? name === undefined : (index ?? key) === undefined) return undefined
    path.push(index === undefined ? (name ?? key ?? '') : Number(index))
  }
  return path
}

const isOwnField = (value: object, key: string | number): boolean =>
  Object.prototype.propertyIsEnumerable.call(value, key)

/** Own fields only, nothing inherited. Undefined when the path leads nowhere. */
export const valueAt = (values: unknown, path: Path): unknown => {
  let value = values
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !isOwnField(value, key)) return undefined
    value = (value as Record<string | number, unknown>)[key]
  }
  return value
}

export interface Filling {
  /** The root of all paths. */
  values: unknown
  /** Charged for everything that is filled in, before it is. */
  budget: TextBudget
  /** Called with each path that leads nowhere. */
  onMissing?(path: Path): void
}

const lookUp = ({ values, onMissing }: Filling, path: Path): unknown => {
  const value = valueAt(values, path)
  if (value === undefined) onMissing?.(path)
  return value
}

/** As in a placeholder. */
export const pathText = (path: Path): string =>
  path
    .map((key, index) => {
      if (typeof key === 'number') return `[${key}]`
      return index === 0 ? key : /^[A-Za-z0-9_-]+$/.test(key) ? `.${key}` : `["${key}"]`
    })
    .join('')

/** Texts are inserted as they are, missing values as an empty text, everything else as JSON. */
export const renderTemplate = (template: Template, filling: Filling): string =>
  template
    .map((part) => {
      if (typeof part !== 'string') return asText(lookUp(filling, part.path), filling.budget)
      filling.budget.charge(part.length)
      return part
    })
    .join('')

const asText = (value: unknown, budget: TextBudget): string => {
  if (value === undefined || value === null) return ''
  const least = chargeFor(value, budget)
  if (typeof value === 'string') return value
  const json = JSON.stringify(value)
  budget.charge(json.length - least)
  return json
}

/** Returns what it charged: of a value that isn't a text, less than its JSON has. */
const chargeFor = (value: unknown, budget: TextBudget): number => {
  const least = budget.left - lengthLeft(value, budget.left)
  budget.charge(least)
  return least
}

/** Fills in every text in a value. A text that is a single placeholder becomes the value itself, of any type. */
export const fillTemplates = (value: unknown, filling: Filling): unknown => {
  if (typeof value === 'string') {
    const template = parseTemplate(value)
    const [only] = template
    if (template.length !== 1 || typeof only !== 'object') return renderTemplate(template, filling)
    const found = lookUp(filling, only.path) ?? null
    chargeFor(found, filling.budget)
    return found
  }
  if (Array.isArray(value)) return value.map((one) => fillTemplates(one, filling))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, fillTemplates(one, filling)]))
}
