/** Locates a mistake in an expression, and writes payload fields as expressions. */

export interface Highlighted {
  before: string
  /** The marked text, at least one character; empty at the end of the text. */
  wrong: string
  after: string
}

/** Line and column start at 1; columns count visible characters. */
export function markAt(text: string, { line, column }: { line: number; column: number }): Highlighted {
  const lines = text.split('\n')
  const row = Math.min(Math.max(line, 1), lines.length) - 1
  const start = lines.slice(0, row).reduce((sum, one) => sum + one.length + 1, 0)
  const characters = [...(lines[row] ?? '')]
  const at = Math.min(Math.max(column - 1, 0), characters.length)
  const from = start + characters.slice(0, at).join('').length
  // Marks a whole word or one symbol: a single letter of a long name is easy to miss.
  const wrong = /^(?:\w+|[^\n])?/u.exec(text.slice(from))?.[0] ?? ''
  return { before: text.slice(0, from), wrong, after: text.slice(from + wrong.length) }
}

export type PathStep = string | number

/** `['order', 'items', 0]` → `payload["order"]["items"][0]`. */
export const pathText = (steps: readonly PathStep[]): string =>
  `payload${steps.map((step) => `[${JSON.stringify(step)}]`).join('')}`

/** A comparison that is true for this event, as a starting point. */
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
  /** The cursor position after inserting. */
  caret: number
}

/** Replaces the selection with a term; joins it to the text before with `and` unless an operator is already there. */
export function insertAt(text: string, { from, to }: { from: number; to: number }, piece: string): Insertion {
  const head = text.slice(0, from)
  const isJoined = head.trim() === '' || /(?:\b(?:and|or|not|in|if|else|is)|[([{,:=<>+\-*/%])\s*$/.test(head)
  const joiner = isJoined ? '' : head.endsWith(' ') ? 'and ' : ' and '
  const put = `${joiner}${piece}`
  return { text: `${head}${put}${text.slice(to)}`, caret: from + put.length }
}
