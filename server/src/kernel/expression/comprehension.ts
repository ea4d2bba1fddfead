/** Comprehensions and generators. Their names live in slots of their own and are seen inside only. */
import type { SyntaxNode } from '@lezer/common'
import { ExpressionError } from './errors.ts'
import { iterate, toSet } from './iterate.ts'
import type { Evaluate, Frame, Scope } from './scope.ts'
import { childrenOf } from './source.ts'
import { isTruthy, PyDict, PyGenerator, type Value } from './values.ts'

/** One `for … in …` or `if …`. */
type Clause =
  | { kind: 'for'; assign(value: Value, frame: Frame): void; items: Evaluate }
  | { kind: 'if'; condition: Evaluate }

interface Loops {
  /** The scope in which the result is written: it sees every name. */
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

const only = (parts: readonly SyntaxNode[], { source }: Scope, place: SyntaxNode): SyntaxNode => {
  const [first, second] = parts
  return first && !second ? first : source.refuse(second ?? place, 'This is not allowed here.')
}

const loopOf = (parts: readonly SyntaxNode[], scope: Scope): { clause: Clause; inner: Scope } => {
  const split = parts.findIndex(({ name }) => name === 'in')
  const place = parts[0] ?? scope.source.root
  if (split < 0) return scope.source.refuse(place, 'A loop needs "in".')
  const items = scope.compile(only(parts.slice(split + 1), scope, place), scope)
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

/** Runs the clauses from one on; yields once for each time that all hold. */
function* turns(clauses: readonly Clause[], at: number, frame: Frame, first: Value | undefined): Generator<undefined> {
  const clause = clauses[at]
  if (!clause) {
    yield undefined
    return
  }
  if (clause.kind === 'if') {
    if (isTruthy(clause.condition(frame))) yield* turns(clauses, at + 1, frame, undefined)
    return
  }
  for (const value of iterate(first ?? clause.items(frame), frame.budget)) {
    clause.assign(value, frame)
    yield* turns(clauses, at + 1, frame, undefined)
  }
}

export const compileComprehension = (node: SyntaxNode, scope: Scope): Evaluate => {
  const parts = childrenOf(node)
  const { inner, clauses } = loopsOf(parts, scope)
  const [one, two] = resultOf(parts).map((part) => inner.compile(part, inner))
  if (!one) return scope.source.refuse(node, 'Something is missing here.')
  if (node.name === 'DictionaryComprehensionExpression') return dictOf(clauses, one, two ?? one)
  if (node.name === 'SetComprehensionExpression') return (frame) => toSet(valuesOf(clauses, one, frame), frame.budget)
  return (frame) => {
    const list: Value[] = []
    for (const _ of turns(clauses, 0, frame, undefined)) {
      frame.budget.allowElements(list.length + 1)
      list.push(one(frame))
    }
    return list
  }
}

const dictOf =
  (clauses: readonly Clause[], key: Evaluate, value: Evaluate): Evaluate =>
  (frame) => {
    const dict = new PyDict()
    for (const _ of turns(clauses, 0, frame, undefined)) {
      dict.set(key(frame), value(frame))
      frame.budget.allowElements(dict.entries.size)
    }
    return dict
  }

function* valuesOf(clauses: readonly Clause[], result: Evaluate, frame: Frame, first?: Value): Generator<Value> {
  for (const _ of turns(clauses, 0, frame, first)) yield result(frame)
}

/** What it goes through is looked at once, at once; the rest as values are asked for. */
export const compileGenerator = (node: SyntaxNode, scope: Scope): Evaluate => {
  const parts = childrenOf(node)
  const { inner, clauses } = loopsOf(parts, scope)
  const [result] = resultOf(parts).map((part) => inner.compile(part, inner))
  const [loop] = clauses
  if (!result || loop?.kind !== 'for') return scope.source.refuse(node, 'Something is missing here.')
  return (frame) => new PyGenerator(valuesOf(clauses, result, frame, loop.items(frame)))
}
