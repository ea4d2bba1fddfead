/** The text of an expression with its syntax tree, and errors that point into it. */
import type { SyntaxNode, Tree } from '@lezer/common'
import { parser } from '@lezer/python'
import { ExpressionSyntaxError } from '../limits/errors.ts'

/** More than the 2,000 that people may write, since webhooks put a condition of their own before a filter. */
const maxLength = 2200

export interface Source {
  text: string
  /** The single expression. */
  root: SyntaxNode
  textOf(node: SyntaxNode): string
  /** Throws, pointing at the node. */
  refuse(node: { from: number }, message: string, unknownName?: string): never
}

export const readSource = (text: string): Source => {
  const refuse = ({ from }: { from: number }, message: string, unknownName?: string): never => {
    const before = text.slice(0, from)
    const line = before.split('\n').length
    const column = from - (before.lastIndexOf('\n') + 1) + 1
    throw new ExpressionSyntaxError(message, { line, column, unknownName })
  }
  if (text.length > maxLength) refuse({ from: maxLength }, `An expression has at most ${maxLength} characters.`)
  if (text.trim() === '') refuse({ from: 0 }, 'The expression is empty.')
  const tree = parse(text, (from) =>
    refuse({ from }, from >= text.trimEnd().length ? 'Something is missing here.' : 'This is not an expression.'),
  )
  const root = onlyExpression(tree.topNode, refuse)
  return { text, root, textOf: (node) => text.slice(node.from, node.to), refuse }
}

/** Ends at the first error: the parser would guess how the rest was meant, which takes up to a hundred times as long. */
const strict = parser.configure({ strict: true })

const parse = (text: string, refuseAt: (position: number) => never): Tree => {
  const parsing = strict.startParse(maskPointedNumbers(text))
  try {
    for (;;) {
      const tree = parsing.advance()
      if (tree) return tree
    }
  } catch (problem) {
    if (!(problem instanceof SyntaxError)) throw problem
    return refuseAt(parsing.parsedPos)
  }
}

/**
 * `1.` is a float in Python, which the parser does not know: it is shown a number of the same length instead. Strings may
 * be changed as well, but only for the parser: literals are read from the original text.
 */
const maskPointedNumbers = (text: string): string => text.replace(/(?<![\w.])(\d[\d_]*)\.(?!\w)/g, '$1j')

const onlyExpression = (script: SyntaxNode, refuse: Source['refuse']): SyntaxNode => {
  const [statement, second] = childrenOf(script).filter(({ name }) => name !== 'Comment')
  if (!statement) return refuse({ from: 0 }, 'The expression is empty.')
  if (statement.name !== 'ExpressionStatement')
    return refuse(statement, 'Only one expression is allowed, no statements.')
  if (second) return refuse(second, 'Only one expression is allowed.')
  const [expression, more] = childrenOf(statement)
  if (!expression || more) return refuse(more ?? statement, 'Only one expression is allowed.')
  return expression
}

export const childrenOf = (node: SyntaxNode): SyntaxNode[] => {
  const children: SyntaxNode[] = []
  for (let child = node.firstChild; child; child = child.nextSibling) if (child.name !== 'Comment') children.push(child)
  return children
}
