/** The parts of a name's value that an expression reads, as far as its text says. Pure. */
import type { SyntaxNode } from '@lezer/common'
import { readEscapes, unquote } from './literals.ts'
import { childrenOf, readSource, type Source } from './source.ts'

/**
 * One path for each time the expression uses the name: the keys that are written out, as in `input["order"]["id"]`. What
 * is done with the value at the end of a path isn't known, so all of it may be read. Throws an ExpressionSyntaxError.
 */
export const readPaths = (text: string, name: string): string[][] => {
  const source = readSource(text)
  const paths: string[][] = []
  source.root.cursor().iterate(({ node }) => {
    if (node.name === 'VariableName' && source.textOf(node) === name) paths.push(keysAfter(node, source))
  })
  return paths
}

/** The keys of `["order"]["id"]` and `.get("order")` that follow the node. */
const keysAfter = (node: SyntaxNode, source: Source): string[] => {
  const { parent } = node
  if (parent?.name !== 'MemberExpression' || parent.firstChild?.from !== node.from) return []
  const [, mark, member] = childrenOf(parent)
  if (mark?.name === '[') return keyThen(parent, member, source)
  const call = parent.parent
  const isGet = call?.name === 'CallExpression' && member && source.textOf(member) === 'get'
  return isGet ? keyThen(call, childrenOf(call).at(-1)?.firstChild?.nextSibling, source) : []
}

const keyThen = (whole: SyntaxNode, key: SyntaxNode | null | undefined, source: Source): string[] => {
  const isWritten = key?.name === 'String' && /^[,)\]]$/.test(key.nextSibling?.name ?? '')
  const { prefix, body } = unquote(isWritten ? source.textOf(key) : '')
  const text = isWritten ? readEscapes(body, prefix) : undefined
  return text === undefined ? [] : [text, ...keysAfter(whole, source)]
}
