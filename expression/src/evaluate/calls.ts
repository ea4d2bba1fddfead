/** Calls of allowed functions and methods. */
import type { SyntaxNode } from '@lezer/common'
import { functions, type PyFunction, typeTests } from '../functions/functions.ts'
import { callMethod, methodNames, methodsWithNames, type NamedValues } from '../functions/methods.ts'
import { childrenOf } from '../syntax/source.ts'
import type { Value } from '../values/values.ts'
import { compileGenerator } from './comprehension.ts'
import type { Evaluate, Frame, Scope } from './scope.ts'

export const compileCall = (node: SyntaxNode, scope: Scope): Evaluate => {
  const { source } = scope
  const [callee, list] = childrenOf(node)
  if (!callee || !list) return source.refuse(node, 'This cannot be called.')
  if (callee.name === 'MemberExpression') return compileMethod(callee, list, scope)
  const name = source.textOf(callee)
  if (callee.name !== 'VariableName') return source.refuse(callee, 'This cannot be called.')
  if (name === 'isinstance') return compileTypeTest(list, scope)
  const callable = Object.hasOwn(functions, name) ? functions[name] : undefined
  if (!callable) return source.refuse(callee, `There is no function called ${name} here.`)
  return compileFunction(callable, { name, list }, scope)
}

interface Given {
  args: Evaluate[]
  named: [name: SyntaxNode, value: Evaluate][]
}

const argumentsOf = (list: SyntaxNode, scope: Scope): Given => {
  const parts = childrenOf(list).slice(1, -1)
  if (parts.some(({ name }) => name === 'for')) return { args: [compileGenerator(list, scope)], named: [] }
  const given: Given = { args: [], named: [] }
  for (const group of splitAtCommas(parts)) {
    const [first, mark, value] = group
    if (!first) continue
    if (first.name === '*' || first.name === '**')
      return scope.source.refuse(first, 'Unpacking arguments is not allowed.')
    if (mark?.name === 'AssignOp' && value) {
      const name = scope.source.textOf(first)
      if (first.name !== 'VariableName') return scope.source.refuse(first, 'This is no name of an argument.')
      if (given.named.some(([other]) => scope.source.textOf(other) === name))
        return scope.source.refuse(first, `${name} is given twice.`)
      given.named.push([first, scope.compile(value, scope)])
    } else if (given.named.length > 0) return scope.source.refuse(first, 'Arguments by name come last.')
    else given.args.push(scope.compile(first, scope))
  }
  return given
}

const splitAtCommas = (parts: readonly SyntaxNode[]): SyntaxNode[][] => {
  const groups: SyntaxNode[][] = [[]]
  for (const part of parts) {
    if (part.name === ',') groups.push([])
    else groups[groups.length - 1]?.push(part)
  }
  return groups
}

const compileFunction = (
  callable: PyFunction,
  { name, list }: { name: string; list: SyntaxNode },
  scope: Scope,
): Evaluate => {
  const { args, named } = argumentsOf(list, scope)
  if (args.length < callable.least || args.length > callable.most)
    return scope.source.refuse(list, `${name}() does not take ${args.length} arguments.`)
  const byName = named.map(([node, value]): [string, Evaluate] => {
    const key = scope.source.textOf(node)
    if (!callable.names?.includes(key))
      return scope.source.refuse(node, `${name}() has no argument called ${key} here.`)
    return [key, value]
  })
  return (frame) =>
    callable.call(
      { args: evaluate(args, frame), named: new Map(byName.map(([key, value]) => [key, value(frame)])) },
      frame.budget,
    )
}

const noNames: NamedValues = new Map()

const valuesOf = (byName: readonly [string, Evaluate][], frame: Frame): NamedValues =>
  byName.length === 0 ? noNames : new Map(byName.map(([name, value]) => [name, value(frame)]))

const evaluate = (args: readonly Evaluate[], frame: Frame): Value[] => args.map((argument) => argument(frame))

const compileMethod = (callee: SyntaxNode, list: SyntaxNode, scope: Scope): Evaluate => {
  const [object, mark, property] = childrenOf(callee)
  if (!object || mark?.name !== '.' || !property) return scope.source.refuse(callee, 'This cannot be called.')
  const name = scope.source.textOf(property)
  if (!methodNames.has(name)) return scope.source.refuse(property, `There is no method called ${name} here.`)
  const self = scope.compile(object, scope)
  const { args, named } = argumentsOf(list, scope)
  if (named[0] && !methodsWithNames.has(name))
    return scope.source.refuse(named[0][0], `${name}() takes no arguments by name here.`)
  const byName = named.map(([node, value]): [string, Evaluate] => [scope.source.textOf(node).normalize('NFKC'), value])
  return (frame) => {
    const object = self(frame)
    const given = { args: evaluate(args, frame), named: valuesOf(byName, frame) }
    return callMethod(object, name, given, frame.budget)
  }
}

/** isinstance(value, str) or isinstance(value, (int, float)). */
const compileTypeTest = (list: SyntaxNode, scope: Scope): Evaluate => {
  const [first, second, ...more] = splitAtCommas(childrenOf(list).slice(1, -1)).map((group) => group[0])
  if (!first || !second || more.some(Boolean))
    return scope.source.refuse(list, 'isinstance() takes a value and a type.')
  const types =
    second.name === 'TupleExpression' ? childrenOf(second).filter(({ name }) => !/^[(),]$/.test(name)) : [second]
  const tests = types.map((type) => {
    const name = scope.source.textOf(type)
    const test = Object.hasOwn(typeTests, name) ? typeTests[name] : undefined
    return test ?? scope.source.refuse(type, `${name} is not a type that is known here.`)
  })
  const value = scope.compile(first, scope)
  return (frame) => {
    const found = value(frame)
    return tests.some((test) => test(found))
  }
}
