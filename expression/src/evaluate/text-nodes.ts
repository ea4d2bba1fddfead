/** String literals: plain, concatenated, and f-strings. */
import type { SyntaxNode } from '@lezer/common'
import { format } from '../format/format-spec.ts'
import { repr, str } from '../format/print.ts'
import { readEscapes, unquote } from '../syntax/literals.ts'
import { childrenOf } from '../syntax/source.ts'
import type { Compile, Evaluate, Frame, Scope } from './scope.ts'

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
  return (frame) => concatenated(parts, frame)
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
  return (frame) => concatenated(parts, frame)
}

/** Charged part by part, so that it ends before it is too long. */
const concatenated = (parts: readonly Evaluate[], frame: Frame): string => {
  let text = ''
  for (const part of parts) {
    const next = str(part(frame), frame.budget)
    frame.budget.allowText(text.length + next.length)
    text += next
  }
  frame.budget.buildText(text.length)
  return text
}

const isFieldPart = (part: SyntaxNode, { source }: Scope): boolean => {
  if (part.name === 'FormatConversion') return /^![rs]$/.test(source.textOf(part))
  if (part.name === 'FormatSpec') return !/[{}\\]/.test(source.textOf(part))
  return part.name === '}'
}

const compileField: Compile = (node, scope) => {
  const [, expression, ...rest] = childrenOf(node)
  const unsupported = rest.find((part) => !isFieldPart(part, scope))
  if (!expression || unsupported)
    return scope.source.refuse(
      unsupported ?? node,
      'Only {value}, {value!r}, {value!s} and a plain format such as {value:>10.2f} are allowed in an f-string.',
    )
  const inner = scope.compile(expression, scope)
  const conversion = rest.find(({ name }) => name === 'FormatConversion')
  const convert = conversion ? (scope.source.textOf(conversion) === '!r' ? repr : str) : undefined
  const converted: Evaluate = convert ? (frame) => convert(inner(frame), frame.budget) : inner
  const spec = rest.find(({ name }) => name === 'FormatSpec')
  if (!spec) return converted
  const text = scope.source.textOf(spec).slice(1)
  return (frame) => format(converted(frame), text, frame.budget)
}
