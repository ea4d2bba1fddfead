/**
 * Compiles a syntax tree to a function. Only the node types listed in `kinds` are allowed; everything else is refused
 * when the expression is saved.
 */
import type { SyntaxNode } from '@lezer/common'
import { readNumber } from '../syntax/literals.ts'
import { childrenOf } from '../syntax/source.ts'
import { toSet } from '../values/iterate.ts'
import { isTruthy, PyDict, PyTuple, type Value } from '../values/values.ts'
import { compileCall } from './calls.ts'
import { compileComprehension, compileGenerator } from './comprehension.ts'
import { compileMember } from './members.ts'
import { unknownName } from './names.ts'
import { compileBinary, compileUnary } from './operations.ts'
import type { Compile, Evaluate, Scope } from './scope.ts'
import { compileFormat, compileText, compileTexts } from './text-nodes.ts'

const maxDepth = 50

export const compileNode = (node: SyntaxNode, outer: Scope): Evaluate => {
  const scope = { ...outer, depth: outer.depth + 1 }
  scope.compiled.nodes += 1
  if (scope.depth > maxDepth) return scope.source.refuse(node, 'The expression is nested too deeply.')
  const compile = Object.hasOwn(kinds, node.name) ? kinds[node.name] : undefined
  if (!compile) return scope.source.refuse(node, refusals[node.name] ?? 'This is not allowed in an expression.')
  return compile(node, scope)
}

const refusals: Record<string, string> = {
  LambdaExpression: 'lambda is not allowed in an expression.',
  NamedExpression: 'Names cannot be assigned in an expression.',
  AwaitExpression: 'await is not allowed in an expression.',
}

const constant =
  (value: Value): Compile =>
  () =>
  () =>
    value

const compileName: Compile = (node, { source, names, derived, suggested }) => {
  const name = source.textOf(node)
  const slot = names.get(name)
  if (slot !== undefined) return ({ slots }) => slots[slot] ?? null
  return derived.get(name) ?? source.refuse(node, unknownName(name, suggested), name)
}

const compileNumber: Compile = (node, { source }) => {
  const value = readNumber(source.textOf(node))
  if (value === undefined) return source.refuse(node, 'This number is not allowed.')
  return () => value
}

const compileParenthesised: Compile = (node, scope) => {
  const [, inner, next] = childrenOf(node)
  if (!inner) return scope.source.refuse(node, 'Something is missing here.')
  if (next?.name === 'for') return compileGenerator(node, scope)
  return compileNode(inner, scope)
}

/** The items of a bracketed list. */
const itemsOf = (node: SyntaxNode, scope: Scope): Evaluate[] =>
  childrenOf(node)
    .slice(1, -1)
    .filter(({ name }) => name !== ',')
    .map((item) =>
      item.name === '*' ? scope.source.refuse(item, 'Unpacking with * is not allowed.') : compileNode(item, scope),
    )

const compileList: Compile = (node, scope) => {
  const items = itemsOf(node, scope)
  return (frame) => items.map((item) => item(frame))
}
const compileTuple: Compile = (node, scope) => {
  const items = itemsOf(node, scope)
  return (frame) => new PyTuple(items.map((item) => item(frame)))
}
const compileSet: Compile = (node, scope) => {
  const items = itemsOf(node, scope)
  return (frame) =>
    toSet(
      items.map((item) => item(frame)),
      frame.budget,
    )
}
const compileDict: Compile = (node, scope) => {
  const parts = childrenOf(node)
    .slice(1, -1)
    .filter(({ name }) => name !== ',')
  const star = parts.find(({ name }) => name === '**')
  if (star) return scope.source.refuse(star, 'Unpacking with ** is not allowed.')
  const values = parts.filter(({ name }) => name !== ':').map((part) => compileNode(part, scope))
  return (frame) => {
    const dict = new PyDict()
    for (let index = 0; index < values.length; index += 2)
      dict.set(values[index]?.(frame) ?? null, values[index + 1]?.(frame) ?? null, frame.budget)
    return dict
  }
}

const compileConditional: Compile = (node, scope) => {
  const [yes, condition, no] = childrenOf(node)
    .filter(({ name }) => name !== 'if' && name !== 'else')
    .map((part) => compileNode(part, scope))
  if (!yes || !condition || !no) return scope.source.refuse(node, 'Something is missing here.')
  return (frame) => (isTruthy(condition(frame)) ? yes(frame) : no(frame))
}

/** What an expression may be made of, by the parser's names. */
export const kinds: Record<string, Compile> = {
  VariableName: compileName,
  Number: compileNumber,
  String: compileText,
  ContinuedString: compileTexts,
  FormatString: compileFormat,
  Boolean: (node, scope) => constant(scope.source.textOf(node) === 'True')(node, scope),
  None: constant(null),
  ParenthesizedExpression: compileParenthesised,
  ArrayExpression: compileList,
  TupleExpression: compileTuple,
  SetExpression: compileSet,
  DictionaryExpression: compileDict,
  ArrayComprehensionExpression: compileComprehension,
  SetComprehensionExpression: compileComprehension,
  DictionaryComprehensionExpression: compileComprehension,
  ComprehensionExpression: compileGenerator,
  ConditionalExpression: compileConditional,
  UnaryExpression: compileUnary,
  BinaryExpression: compileBinary,
  MemberExpression: compileMember,
  CallExpression: compileCall,
}
