/** The methods that can be called, by type. */
import type { Budget } from './budget.ts'
import { isEqual } from './compare.ts'
import { ExpressionError } from './errors.ts'
import { iterate } from './iterate.ts'
import { asInt } from './numbers.ts'
import {
  codePointIndex,
  countIn,
  splitBlanks,
  splitBlanksFromRight,
  splitBy,
  splitByFromRight,
  strip,
  titled,
} from './text.ts'
import {
  type Dict,
  dictEntries,
  dictGet,
  isDict,
  isInt,
  isList,
  PySequence,
  PyTuple,
  typeName,
  type Value,
} from './values.ts'

type Method<Self> = (self: Self, args: readonly Value[], budget: Budget) => Value
type Methods<Self> = Record<string, { least: number; most: number; call: Method<Self> }>

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
  (self, [set]) =>
    strip(self, side, set === undefined || set === null ? undefined : textOf(set, 'strip arg'))

const splitting =
  (byBlanks: typeof splitBlanks, byText: typeof splitBy): Method<string> =>
  (self, [separator, most], budget) => {
    const by = separator === undefined || separator === null ? undefined : textOf(separator, 'separator')
    if (by === '') throw new ExpressionError('ValueError', 'empty separator')
    const parts = by === undefined ? byBlanks(self, countOf(most)) : byText(self, by, countOf(most))
    budget.allowElements(parts.length)
    budget.spend(parts.length)
    return parts
  }

/** Takes one string or a tuple of strings. */
const affix =
  (name: string, holds: (self: string, part: string) => boolean): Method<string> =>
  (self, [part]) =>
    part instanceof PyTuple
      ? part.items.some((item) => holds(self, textOf(item, `tuple for ${name}`)))
      : holds(self, textOf(part, `${name} first arg`))

const isAll =
  (pattern: RegExp): Method<string> =>
  (self) =>
    self !== '' && pattern.test(self)

const textMethods: Methods<string> = {
  lower: { least: 0, most: 0, call: (self) => self.toLowerCase() },
  upper: { least: 0, most: 0, call: (self) => self.toUpperCase() },
  title: { least: 0, most: 0, call: (self) => titled(self) },
  strip: { least: 0, most: 1, call: stripping('both') },
  lstrip: { least: 0, most: 1, call: stripping('left') },
  rstrip: { least: 0, most: 1, call: stripping('right') },
  split: { least: 0, most: 2, call: splitting(splitBlanks, splitBy) },
  rsplit: { least: 0, most: 2, call: splitting(splitBlanksFromRight, splitByFromRight) },
  startswith: { least: 1, most: 1, call: affix('startswith', (self, part) => self.startsWith(part)) },
  endswith: { least: 1, most: 1, call: affix('endswith', (self, part) => self.endsWith(part)) },
  find: {
    least: 1,
    most: 1,
    call: (self, [part]) => codePointIndex(self, self.indexOf(textOf(part, 'find() argument'))),
  },
  count: { least: 1, most: 1, call: (self, [part]) => countIn(self, textOf(part, 'count() argument')) },
  isdigit: { least: 0, most: 0, call: isAll(/^[\p{Nd}\u00b2\u00b3\u00b9\u2070\u2074-\u2079\u2080-\u2089]+$/u) },
  isalpha: { least: 0, most: 0, call: isAll(/^\p{L}+$/u) },
  replace: {
    least: 2,
    most: 2,
    call: (self, [old, now], budget) => {
      const from = textOf(old, 'replace() argument 1')
      const to = textOf(now, 'replace() argument 2')
      budget.allowText(self.length + countIn(self, from) * to.length)
      if (from !== '') return self.replaceAll(from, () => to)
      return to + [...self].map((character) => character + to).join('')
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
      return parts.join(self)
    },
  },
}

const dictMethods: Methods<Dict> = {
  get: {
    least: 1,
    most: 2,
    call: (self, [key = null, fallback = null]) => {
      const found = dictGet(self, key)
      return found === undefined ? fallback : found
    },
  },
  keys: {
    least: 0,
    most: 0,
    call: (self) =>
      new PySequence(
        'dict_keys',
        dictEntries(self).map(([key]) => key),
      ),
  },
  values: {
    least: 0,
    most: 0,
    call: (self) =>
      new PySequence(
        'dict_values',
        dictEntries(self).map(([, value]) => value),
      ),
  },
  items: {
    least: 0,
    most: 0,
    call: (self) =>
      new PySequence(
        'dict_items',
        dictEntries(self).map((entry) => new PyTuple(entry)),
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
}

/** Methods of any type: others are refused when the expression is saved, not when it runs. */
export const methodNames: ReadonlySet<string> = new Set(
  [textMethods, dictMethods, itemMethods].flatMap((methods) => Object.keys(methods)),
)

export const callMethod = (self: Value, name: string, args: readonly Value[], budget: Budget): Value => {
  if (typeof self === 'string') return call(textMethods, { self, name, args, budget })
  if (isList(self)) return call(itemMethods, { self, name, args, budget })
  if (self instanceof PyTuple) return call(itemMethods, { self: self.items, name, args, budget }, 'tuple')
  if (isDict(self)) return call(dictMethods, { self, name, args, budget })
  return missing(typeName(self), name)
}

interface MethodCall<Self> {
  self: Self
  name: string
  args: readonly Value[]
  budget: Budget
}

const call = <Self extends Value>(
  methods: Methods<Self>,
  { self, name, args, budget }: MethodCall<Self>,
  type = typeName(self),
): Value => {
  const method = Object.hasOwn(methods, name) ? methods[name] : undefined
  if (!method) return missing(type, name)
  if (args.length < method.least || args.length > method.most)
    throw new ExpressionError('TypeError', `${name}() does not take ${args.length} arguments`)
  return method.call(self, args, budget)
}

const missing = (type: string, name: string): never => {
  throw new ExpressionError('TypeError', `'${type}' object has no attribute '${name}'`)
}
