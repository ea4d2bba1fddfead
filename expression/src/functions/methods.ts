/** The methods that can be called, by type. */

import { formatFields } from '../format/format.ts'
import type { Budget } from '../limits/budget.ts'
import { ExpressionError } from '../limits/errors.ts'
import { isEqual } from '../values/compare.ts'
import { iterate } from '../values/iterate.ts'
import { asInt } from '../values/numbers.ts'
import { countIn, indexIn, replaced, split, splitFromRight, strip, titled } from '../values/text.ts'
import {
  type Dict,
  dictEntries,
  dictGet,
  dictKeys,
  isDict,
  isInt,
  isList,
  PySequence,
  PyTuple,
  typeName,
  type Value,
} from '../values/values.ts'

export type NamedValues = ReadonlyMap<string, Value>

type Method<Self> = (self: Self, args: readonly Value[], budget: Budget, named: NamedValues) => Value

interface MethodRule<Self> {
  least: number
  most: number
  /** The parameters that may be given by name, in their order; `any` are the method's own to read. */
  names?: readonly string[] | 'any'
  call: Method<Self>
}
type Methods<Self> = Record<string, MethodRule<Self>>

const textOf = (value: Value | undefined, what: string): string => {
  if (typeof value === 'string') return value
  throw new ExpressionError('TypeError', `${what} must be str, not ${typeName(value ?? null)}`)
}
const countOf = (value: Value | undefined): number => {
  if (value === undefined) return -1
  if (isInt(value)) return Number(asInt(value))
  throw new ExpressionError('TypeError', `'${typeName(value)}' object cannot be interpreted as an integer`)
}

const stripping =
  (side: 'left' | 'right' | 'both'): Method<string> =>
  (self, [set], budget) =>
    strip(self, { side, set: set === undefined || set === null ? undefined : textOf(set, 'strip arg'), budget })

const splitting =
  (cut: typeof split): Method<string> =>
  (self, [given, max], budget) => {
    const separator = given === undefined || given === null ? undefined : textOf(given, 'separator')
    if (separator === '') throw new ExpressionError('ValueError', 'empty separator')
    return cut(self, { separator, max: countOf(max), budget })
  }

/** Takes one string or a tuple of strings. */
const affix =
  (name: string, holds: (self: string, part: string) => boolean): Method<string> =>
  (self, [part], budget) => {
    const charged = (text: string): boolean => {
      budget.spendText(text.length, 'search')
      return holds(self, text)
    }
    if (!(part instanceof PyTuple)) return charged(textOf(part, `${name} first arg`))
    budget.spend(part.items.length)
    return part.items.some((item) => charged(textOf(item, `tuple for ${name}`)))
  }

const isAll =
  (pattern: RegExp): Method<string> =>
  (self, _args, budget) => {
    budget.spendText(self.length, 'build')
    return self !== '' && pattern.test(self)
  }

/** A text of about the same length. */
const mapped =
  (map: (self: string) => string): Method<string> =>
  (self, _args, budget) => {
    budget.buildText(self.length)
    // Each is looked up in Unicode's tables, too.
    budget.spendText(self.length, 'build')
    return map(self)
  }

const textMethods: Methods<string> = {
  lower: { least: 0, most: 0, call: mapped((self) => self.toLowerCase()) },
  upper: { least: 0, most: 0, call: mapped((self) => self.toUpperCase()) },
  title: { least: 0, most: 0, call: (self, _args, budget) => titled(self, budget) },
  strip: { least: 0, most: 1, call: stripping('both') },
  lstrip: { least: 0, most: 1, call: stripping('left') },
  rstrip: { least: 0, most: 1, call: stripping('right') },
  split: { least: 0, most: 2, names: ['sep', 'maxsplit'], call: splitting(split) },
  rsplit: { least: 0, most: 2, names: ['sep', 'maxsplit'], call: splitting(splitFromRight) },
  startswith: { least: 1, most: 1, call: affix('startswith', (self, part) => self.startsWith(part)) },
  endswith: { least: 1, most: 1, call: affix('endswith', (self, part) => self.endsWith(part)) },
  find: {
    least: 1,
    most: 1,
    call: (self, [part], budget) => indexIn(self, textOf(part, 'find() argument'), budget),
  },
  index: {
    least: 1,
    most: 1,
    call: (self, [part], budget) => {
      const index = indexIn(self, textOf(part, 'index() argument'), budget)
      if (index < 0) throw new ExpressionError('ValueError', 'substring not found')
      return index
    },
  },
  count: {
    least: 1,
    most: 1,
    call: (self, [part], budget) => countIn(self, textOf(part, 'count() argument'), budget),
  },
  format: {
    least: 0,
    most: 100,
    names: 'any',
    call: (self, args, budget, named) => formatFields(self, { args, named }, budget),
  },
  isdigit: { least: 0, most: 0, call: isAll(/^[\p{Nd}\u00b2\u00b3\u00b9\u2070\u2074-\u2079\u2080-\u2089]+$/u) },
  isalpha: { least: 0, most: 0, call: isAll(/^\p{L}+$/u) },
  replace: {
    least: 2,
    most: 2,
    call: (self, [old, now], budget) => {
      const part = textOf(old, 'replace() argument 1')
      const by = textOf(now, 'replace() argument 2')
      return replaced(self, { part, by, budget })
    },
  },
  join: {
    least: 1,
    most: 1,
    call: (self, [items], budget) => {
      const parts: string[] = []
      let length = 0
      for (const item of iterate(items ?? null, budget)) {
        if (typeof item !== 'string')
          throw new ExpressionError(
            'TypeError',
            `sequence item ${parts.length}: expected str instance, ${typeName(item)} found`,
          )
        length += item.length + self.length
        budget.allowText(length)
        parts.push(item)
      }
      budget.buildText(length)
      return parts.join(self)
    },
  },
}

const dictMethods: Methods<Dict> = {
  get: {
    least: 1,
    most: 2,
    call: (self, [key = null, fallback = null], budget) => {
      const found = dictGet(self, key, budget)
      return found === undefined ? fallback : found
    },
  },
  keys: {
    least: 0,
    most: 0,
    call: (self, _args, budget) => new PySequence('dict_keys', dictKeys(self, budget)),
  },
  values: {
    least: 0,
    most: 0,
    call: (self, _args, budget) =>
      new PySequence(
        'dict_values',
        dictEntries(self, budget).map(([, value]) => value),
      ),
  },
  items: {
    least: 0,
    most: 0,
    call: (self, _args, budget) =>
      new PySequence(
        'dict_items',
        dictEntries(self, budget).map((entry) => new PyTuple(entry)),
      ),
  },
}

const itemMethods: Methods<readonly Value[]> = {
  count: {
    least: 1,
    most: 1,
    call: (self, [wanted = null], budget) => {
      budget.spend(self.length)
      return self.filter((item) => isEqual(item, wanted, budget)).length
    },
  },
  index: {
    least: 1,
    most: 1,
    call: (self, [wanted = null], budget) => {
      for (let index = 0; index < self.length; index += 1) {
        budget.spend(1)
        if (isEqual(self[index] ?? null, wanted, budget)) return index
      }
      throw new ExpressionError('ValueError', 'the value is not in the list')
    },
  },
}

/** The methods that each type has. */
export const methodsOfTypes = {
  str: Object.keys(textMethods),
  dict: Object.keys(dictMethods),
  list: Object.keys(itemMethods),
}

/** Methods of any type: others are refused when the expression is saved, not when it runs. */
export const methodNames: ReadonlySet<string> = new Set(
  [textMethods, dictMethods, itemMethods].flatMap((methods) => Object.keys(methods)),
)

/** Those that take arguments by name: for others, a name is refused when the expression is saved. */
export const methodsWithNames: ReadonlySet<string> = new Set(
  Object.entries(textMethods).flatMap(([name, { names }]) => (names ? [name] : [])),
)

export interface MethodArguments {
  args: readonly Value[]
  named: NamedValues
}

export const callMethod = (self: Value, name: string, given: MethodArguments, budget: Budget): Value => {
  if (typeof self === 'string') return call(textMethods, { self, name, ...given, budget })
  if (isList(self)) return call(itemMethods, { self, name, ...given, budget })
  if (self instanceof PyTuple) return call(itemMethods, { self: self.items, name, ...given, budget }, 'tuple')
  if (isDict(self)) return call(dictMethods, { self, name, ...given, budget })
  return missing(typeName(self), name)
}

interface MethodCall<Self> extends MethodArguments {
  self: Self
  name: string
  budget: Budget
}

const call = <Self extends Value>(
  methods: Methods<Self>,
  { self, name, args: positional, named, budget }: MethodCall<Self>,
  type = typeName(self),
): Value => {
  const method = Object.hasOwn(methods, name) ? methods[name] : undefined
  if (!method) return missing(type, name)
  const args = method.names === 'any' ? positional : inOrder(name, { positional, named, names: method.names ?? [] })
  if (args.length < method.least || args.length > method.most)
    throw new ExpressionError('TypeError', `${name}() does not take ${args.length} arguments`)
  return method.call(self, args, budget, named)
}

interface Given {
  positional: readonly Value[]
  named: NamedValues
  names: readonly string[]
}

/** Arguments by name at their positions; one that is left out before them is None, which is its default. */
const inOrder = (method: string, { positional, named, names }: Given): readonly Value[] => {
  if (named.size === 0) return positional
  const args = [...positional]
  for (const [name, value] of named) {
    const position = names.indexOf(name)
    if (position < 0) throw new ExpressionError('TypeError', `'${name}' is an invalid keyword argument for ${method}()`)
    if (position < positional.length)
      throw new ExpressionError('TypeError', `argument for ${method}() given by name ('${name}') and position`)
    args[position] = value
  }
  return Array.from(args, (value) => value ?? null)
}

const missing = (type: string, name: string): never => {
  throw new ExpressionError('TypeError', `'${type}' object has no attribute '${name}'`)
}
