/** Subscripts and slices. */
import type { SyntaxNode } from '@lezer/common'
import { slice, subscript } from '../functions/subscript.ts'
import { readNumber } from '../syntax/literals.ts'
import { childrenOf } from '../syntax/source.ts'
import type { Compile, Evaluate, Scope } from './scope.ts'

/** `value[key]`, `value[a:b:c]`. There is no attribute access. */
export const compileMember: Compile = (node, scope) => {
  const [object, mark, ...inside] = childrenOf(node)
  if (object?.name === 'Number' && mark?.name === '.') return compilePointedNumber(node, scope)
  if (!object || mark?.name !== '[')
    return scope.source.refuse(
      mark ?? node,
      `Fields are read with brackets: ${withBrackets(scope.source.textOf(node))}.`,
    )
  const value = scope.compile(object, scope)
  const parts = inside.slice(0, -1)
  const comma = parts.find(({ name }) => name === ',')
  if (comma) return scope.source.refuse(comma, 'One key or one slice is allowed in brackets.')
  if (parts.some(({ name }) => name === ':')) return compileSlice(value, parts, scope)
  const [key] = parts
  if (!key) return scope.source.refuse(node, 'A key is missing in the brackets.')
  const keyOf = scope.compile(key, scope)
  return (frame) => subscript(value(frame), keyOf(frame), frame.budget)
}

/** The same fields as they can be read; a sample where the text is more than a few names. */
const withBrackets = (text: string): string =>
  /^\w+(\.\w+|\[[^\].]*\])+$/.test(text) && text.length <= 100
    ? text.replace(/\.(\w+)/g, '["$1"]')
    : 'payload["amount"]'

/** `1.` and `1.e5`, which the parser takes for a member of a number. */
const compilePointedNumber: Compile = (node, { source }) => {
  const text = source.textOf(node).trimEnd()
  const value = /\.(e\d+)?$/i.test(text) ? readNumber(text) : undefined
  if (value === undefined) return source.refuse(node, 'This number is not allowed.')
  return () => value
}

const compileSlice = (value: Evaluate, parts: readonly SyntaxNode[], scope: Scope): Evaluate => {
  const bounds: Evaluate[] = [() => null, () => null, () => null]
  let index = 0
  for (const part of parts) {
    if (part.name === ':') index += 1
    else bounds[index] = scope.compile(part, scope)
  }
  const [start, stop, step] = bounds
  return (frame) =>
    slice(
      value(frame),
      { start: start?.(frame) ?? null, stop: stop?.(frame) ?? null, step: step?.(frame) ?? null },
      frame.budget,
    )
}
