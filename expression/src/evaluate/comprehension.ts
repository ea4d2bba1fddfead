/** Comprehensions and generators. Their names have slots of their own and are visible inside only. */
import type { SyntaxNode } from '@lezer/common'
import { ExpressionError } from '../limits/errors.ts'
import { childrenOf } from '../syntax/source.ts'
import { iterate, toSet } from '../values/iterate.ts'
import { isTruthy, PyDict, PyGenerator, type Value } from '../values/values.ts'
import type { Evaluate, Frame, Scope } from './scope.ts'

/** One `for … in …` or `if …`. */
type Clause =
  | { kind: 'for'; assign(value: Value, frame: Frame): void; items: Evaluate }
  | { kind: 'if'; condition: Evaluate }

interface Loops {
  /** The scope of the result expression: it sees every name. */
  inner: Scope
  clauses: Clause[]
}

const isMark = ({ name }: SyntaxNode): boolean => /^[[\](){},]$/.test(name)

/** The parts before the first `for`, without brackets. */
const resultOf = (parts: readonly SyntaxNode[]): SyntaxNode[] =>
  parts
    .slice(
      0,
      parts.findIndex(({ name }) => name === 'for'),
    )
    .filter((part) => !isMark(part) && part.name !== ':')

const loopsOf = (parts: readonly SyntaxNode[], scope: Scope): Loops => {
  const clauses: Clause[] = []
  let inner = scope
  let at = parts.findIndex(({ name }) => name === 'for')
  while (at < parts.length) {
    const word = parts[at]
    const end = parts.findIndex(
      ({ name }, index) =>
        index > at && (name === 'for' || name === 'if' || name === ')' || name === ']' || name === '}'),
    )
    const clause = parts.slice(at + 1, end < 0 ? parts.length : end)
    if (word?.name === 'for') {
      const loop = loopOf(clause, inner)
      clauses.push(loop.clause)
      inner = loop.inner
    } else if (word?.name === 'if')
      clauses.push({ kind: 'if', condition: inner.compile(only(clause, scope, word), inner) })
    else break
    at = end < 0 ? parts.length : end
  }
  return { inner, clauses }
}

const only = (parts: readonly SyntaxNode[], { source }: Scope, node: SyntaxNode): SyntaxNode => {
  const [first, second] = parts
  return first && !second ? first : source.refuse(second ?? node, 'This is not allowed here.')
}

const loopOf = (parts: readonly SyntaxNode[], scope: Scope): { clause: Clause; inner: Scope } => {
  const split = parts.findIndex(({ name }) => name === 'in')
  const start = parts[0] ?? scope.source.root
  if (split < 0) return scope.source.refuse(start, 'A loop needs "in".')
  const items = scope.compile(only(parts.slice(split + 1), scope, start), scope)
  const names = new Map(scope.names)
  const slots = targetsOf(parts.slice(0, split), scope).map((name) => {
    const slot = scope.newSlot()
    names.set(scope.source.textOf(name), slot)
    return slot
  })
  const isUnpacked =
    slots.length > 1 || parts[0]?.name === 'TupleExpression' || parts.slice(0, split).some(({ name }) => name === ',')
  const assign = isUnpacked ? unpackInto(slots) : assignTo(slots[0] ?? 0)
  return { clause: { kind: 'for', assign, items }, inner: { ...scope, names } }
}

const targetsOf = (parts: readonly SyntaxNode[], { source }: Scope): SyntaxNode[] => {
  const [first] = parts
  const flat = (first?.name === 'TupleExpression' && parts.length === 1 ? childrenOf(first) : parts).filter(
    (part) => !isMark(part),
  )
  for (const target of flat)
    if (target.name !== 'VariableName' || source.textOf(target).startsWith('_'))
      return source.refuse(target, 'A loop needs plain names.')
  return [...flat]
}

const assignTo =
  (slot: number) =>
  (value: Value, { slots }: Frame): void => {
    slots[slot] = value
  }

const unpackInto =
  (targets: readonly number[]) =>
  (value: Value, { slots, budget }: Frame): void => {
    const items = [...iterate(value, budget)]
    if (items.length !== targets.length)
      throw new ExpressionError(
        'ValueError',
        items.length > targets.length
          ? `too many values to unpack (expected ${targets.length})`
          : `not enough values to unpack (expected ${targets.length}, got ${items.length})`,
      )
    for (const [index, slot] of targets.entries()) slots[slot] = items[index] ?? null
  }

/** One step pays for this many nodes of the loop's body. */
const nodesPerStep = 8

interface Loop {
  clauses: readonly Clause[]
  /** Charged for each iteration besides its one step, by the size of the body. */
  extraSteps: number
}

/** Compiles the clauses and the result expressions of a comprehension. */
const compileLoop = (node: SyntaxNode, scope: Scope): { loop: Loop; results: Evaluate[] } => {
  const parts = childrenOf(node)
  const before = scope.compiled.nodes
  const { inner, clauses } = loopsOf(parts, scope)
  const results = resultOf(parts).map((part) => inner.compile(part, inner))
  return { loop: { clauses, extraSteps: Math.floor((scope.compiled.nodes - before) / nodesPerStep) }, results }
}

/** Runs the clauses from index `at` on; yields once for each combination that passes all of them. */
function* iterations(loop: Loop, at: number, frame: Frame, first?: Value): Generator<undefined> {
  const clause = loop.clauses[at]
  if (!clause) {
    yield undefined
    return
  }
  if (clause.kind === 'if') {
    if (isTruthy(clause.condition(frame))) yield* iterations(loop, at + 1, frame)
    return
  }
  for (const value of iterate(first ?? clause.items(frame), frame.budget)) {
    frame.budget.spend(loop.extraSteps)
    clause.assign(value, frame)
    yield* iterations(loop, at + 1, frame)
  }
}

export const compileComprehension = (node: SyntaxNode, scope: Scope): Evaluate => {
  const {
    loop,
    results: [one, two],
  } = compileLoop(node, scope)
  if (!one) return scope.source.refuse(node, 'Something is missing here.')
  if (node.name === 'DictionaryComprehensionExpression') return dictOf(loop, one, two ?? one)
  if (node.name === 'SetComprehensionExpression') return (frame) => toSet(valuesOf(loop, one, frame), frame.budget)
  return (frame) => {
    const list: Value[] = []
    for (const _ of iterations(loop, 0, frame)) {
      frame.budget.allowElements(list.length + 1)
      list.push(one(frame))
    }
    return list
  }
}

const dictOf =
  (loop: Loop, key: Evaluate, value: Evaluate): Evaluate =>
  (frame) => {
    const dict = new PyDict()
    for (const _ of iterations(loop, 0, frame)) {
      dict.set(key(frame), value(frame), frame.budget)
      frame.budget.allowElements(dict.entries.size)
    }
    return dict
  }

function* valuesOf(loop: Loop, result: Evaluate, frame: Frame, first?: Value): Generator<Value> {
  for (const _ of iterations(loop, 0, frame, first)) yield result(frame)
}

/** The outermost iterable is evaluated right away, as in Python; the rest when values are requested. */
export const compileGenerator = (node: SyntaxNode, scope: Scope): Evaluate => {
  const {
    loop,
    results: [result],
  } = compileLoop(node, scope)
  const [clause] = loop.clauses
  if (!result || clause?.kind !== 'for') return scope.source.refuse(node, 'Something is missing here.')
  return (frame) => new PyGenerator(valuesOf(loop, result, frame, clause.items(frame)))
}
