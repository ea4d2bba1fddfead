/** Where in an expression a mistake is, and how a field of an event's payload is written in one. */

export interface Marked {
  before: string
  /** What is wrong, at least one character; empty at the end of the text. */
  wrong: string
  after: string
}

/** Line and column count from 1, columns in characters as people see them. */
export function markAt(text: string, { line, column }: { line: number; column: number }): Marked {
  const lines = text.split('\n')
  const row = Math.min(Math.max(line, 1), lines.length) - 1
  const start = lines.slice(0, row).reduce((sum, one) => sum + one.length + 1, 0)
  const characters = [...(lines[row] ?? '')]
  const at = Math.min(Math.max(column - 1, 0), characters.length)
  const from = start + characters.slice(0, at).join('').length
  // A whole word or one sign: a single letter of a long name is easily overlooked.
  const wrong = /^(?:\w+|[^\n])?/u.exec(text.slice(from))?.[0] ?? ''
  return { before: text.slice(0, from), wrong, after: text.slice(from + wrong.length) }
}

export type PathStep = string | number

/** `['order', 'items', 0]` → `payload["order"]["items"][0]`: fields are read with brackets. */
export const pathText = (steps: readonly PathStep[]): string =>
  `payload${steps.map((step) => `[${JSON.stringify(step)}]`).join('')}`

/** A comparison to begin with, so that a click gives an expression that holds for this very event. */
export function comparisonText(steps: readonly PathStep[], value: unknown): string {
  const path = pathText(steps)
  if (value === null) return `${path} is None`
  if (typeof value === 'boolean') return value ? path : `not ${path}`
  if (typeof value === 'number') return `${path} == ${value}`
  if (typeof value === 'string' && value.length <= 60) return `${path} == ${JSON.stringify(value)}`
  return path
}

interface Insertion {
  text: string
  /** Where the cursor goes. */
  caret: number
}

/** Puts a piece in the place of the selection; to what stands before it joins with `and`, unless an operator does. */
export function insertAt(text: string, { from, to }: { from: number; to: number }, piece: string): Insertion {
  const head = text.slice(0, from)
  const isJoined = head.trim() === '' || /(?:\b(?:and|or|not|in|if|else|is)|[([{,:=<>+\-*/%])\s*$/.test(head)
  const glue = isJoined ? '' : head.endsWith(' ') ? 'and ' : ' and '
  const put = `${glue}${piece}`
  return { text: `${head}${put}${text.slice(to)}`, caret: from + put.length }
}
