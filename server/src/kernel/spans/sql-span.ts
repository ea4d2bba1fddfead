/** A statement in traces: its text, whose values are parameters, and a short name. */
import { type Span, withSpan } from './span.ts'

export const inSqlSpan = (parent: Span, text: string, send: () => Promise<unknown>): Promise<unknown> => {
  const name = nameOf(text)
  const span = parent.child(name, 'client')
  span.set({ 'db.system.name': 'postgresql', 'db.query.summary': name, 'db.query.text': text })
  return withSpan(span, send)
}

const maxKnown = 2000
const maxRead = 4000
const known = new Map<string, string>()

const target = /\b(?:from|into|update(?!\s+set\b)|join)\s+"?(?:\w+"?\.)?"?(\w+)/i

/** What it does, and to which table. */
const nameOf = (text: string): string => {
  const before = known.get(text)
  if (before !== undefined) return before
  const head = text.slice(0, maxRead).replace(/^(?:\s|\/\*[^*]*\*\/)+/, '')
  const action = (/^\w+/.exec(head)?.[0] ?? 'sql').toLowerCase()
  const table = target.exec(head)?.[1]
  const name = table === undefined ? action : `${action} ${table}`
  if (known.size < maxKnown) known.set(text, name)
  return name
}
