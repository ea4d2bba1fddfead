/** String literals: plain, concatenated, and f-strings. */
import type { SyntaxNode } from '@lezer/common'
import { readEscapes, unquote } from './literals.ts'
import { repr, str } from './print.ts'
import type { Compile, Evaluate, Scope } from './scope.ts'
import { childrenOf } from './source.ts'

const textOf = (node: SyntaxNode, { source }: Scope): string => {
  const { prefix, body } = unquote(source.textOf(node))
  if (prefix.includes('b')) return source.refuse(node, 'bytes are not allowed in an expression.')
  return readEscapes(body, prefix) ?? source.refuse(node, 'This text holds an escape that is not allowed.')
}

export const compileText: Compile = (node, scope) => {
  const text = textOf(node, scope)
  return () => text
}

/** "a" "b": one text. */
export const compileTexts: Compile = (node, scope) => {
  const parts = childrenOf(node).map((part) => scope.compile(part, scope))
  return (frame) => parts.map((part) => str(part(frame), frame.budget)).join('')
}

export const compileFormat: Compile = (node, scope) => {
  const { source } = scope
  const { prefix, start, body } = unquote(source.textOf(node))
  const literal = (from: number, to: number): Evaluate => {
    const text =
      readEscapes(source.text.slice(from, to), prefix) ??
      source.refuse(node, 'This text holds an escape that is not allowed.')
    const plain = text.replaceAll('{{', '{').replaceAll('}}', '}')
    return () => plain
  }
  const parts: Evaluate[] = []
  let at = node.from + start
  for (const field of childrenOf(node).filter(({ name }) => name === 'FormatReplacement')) {
    parts.push(literal(at, field.from), compileField(field, scope))
    at = field.to
  }
  parts.push(literal(at, node.from + start + body.length))
  return (frame) => {
    const text = parts.map((part) => str(part(frame), frame.budget)).join('')
    frame.budget.allowText(text.length)
    return text
  }
}

const compileField: Compile = (node, scope) => {
  const [, expression, ...rest] = childrenOf(node)
  const odd = rest.find(
    ({ name, from, to }) =>
      name !== '}' && !(name === 'FormatConversion' && /^!r$|^!s$/.test(scope.source.text.slice(from, to))),
  )
  if (!expression || odd)
    return scope.source.refuse(
      odd ?? node,
      'Only {expression}, {expression!r} and {expression!s} are allowed in an f-string.',
    )
  const inner = scope.compile(expression, scope)
  const isQuoted = rest.some((part) => scope.source.textOf(part) === '!r')
  return isQuoted ? (frame) => repr(inner(frame), frame.budget) : inner
}
