/**
 * Pure. The filters and paths of RFC 7644 (3.4.2.2, 3.5.2), read once from left to right. Everything that came is bounded
 * before it is read: its length, how deep it nests, how much it compares.
 */
import { AppError } from '#kernel/errors.ts'
import { parseForeign } from '#kernel/json/parse-foreign.ts'
import { assertStorableText } from '#kernel/json/well-formed-text.ts'

export const comparisons = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const
export type Comparison = (typeof comparisons)[number]
export type Operand = string | number | boolean | null

export type Filter =
  | { op: 'and'; of: Filter[] }
  | { op: 'or'; of: Filter[] }
  | { op: 'not'; of: Filter }
  /** `path` is in lower case, without the name of a core schema: `name.familyname`. */
  | { op: 'pr'; path: string }
  | { op: Comparison; path: string; value: Operand }

/** `emails[type eq "work"].value`, in its parts. */
export interface Path {
  attribute: string
  filter?: Filter
  sub?: string
}

const mostCharacters = 4000
const mostTests = 100
const deepest = 20

type Token = { kind: 'word' | 'sign'; text: string } | { kind: 'value'; value: Operand }

const pattern = /\s*(?:([()[\]])|("(?:[^"\\]|\\.)*")|(-?\d+(?:\.\d+)?(?![\w.:-]))|(\.?[A-Za-z$][\w$.:-]*))/y
const constants = new Map<string, Operand>([
  ['true', true],
  ['false', false],
  ['null', null],
])

const tokensOf = (text: string): Token[] => {
  if (text.length > mostCharacters) throw invalid('It is too long.')
  const tokens: Token[] = []
  const source = text.trimEnd()
  pattern.lastIndex = 0
  while (pattern.lastIndex < source.length) {
    const at = pattern.lastIndex
    const [, sign, quoted, number, word] = pattern.exec(source) ?? []
    if (sign !== undefined) tokens.push({ kind: 'sign', text: sign })
    else if (quoted !== undefined) tokens.push({ kind: 'value', value: textOf(quoted) })
    else if (number !== undefined) tokens.push({ kind: 'value', value: Number(number) })
    else if (word !== undefined) tokens.push({ kind: 'word', text: word })
    else throw invalid(`It can't be read from character ${at + 1} on.`)
  }
  return tokens
}

const textOf = (quoted: string): string => {
  try {
    const value = parseForeign(quoted) as string
    assertStorableText(value)
    return value
  } catch {
    throw invalid('A text in it is not a JSON string.')
  }
}

const invalid = (why: string) => new AppError('scim_invalid_filter', { detail: `This filter is invalid. ${why}` })

const coreSchema = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/

const attributeOf = (word: string): string => word.toLowerCase().replace(coreSchema, '')

const isComparison = (word: string): word is Comparison => (comparisons as readonly string[]).includes(word)

class Reader {
  readonly #tokens: Token[]
  #at = 0
  #tests = 0

  constructor(text: string) {
    this.#tokens = tokensOf(text)
  }

  get isAtEnd(): boolean {
    return this.#at === this.#tokens.length
  }

  readPath(): Path {
    const word = this.#word()
    if (!this.#takeSign('[')) return pathOf(word)
    const attribute = attributeOf(word)
    const filter = this.#readAny(`${attribute}.`, 1)
    if (!this.#takeSign(']')) throw invalid('A bracket is not closed.')
    if (this.isAtEnd) return { attribute, filter }
    const sub = this.#word()
    if (!sub.startsWith('.')) throw invalid(`“${sub}” is out of place.`)
    return { attribute, filter, sub: sub.slice(1).toLowerCase() }
  }

  readFilter(): Filter {
    return this.#readAny('', 1)
  }

  #readAny(prefix: string, depth: number): Filter {
    return this.#readList('or', () => this.#readList('and', () => this.#readOne(prefix, depth)))
  }

  #readList(op: 'and' | 'or', readPart: () => Filter): Filter {
    const first = readPart()
    const of = [first]
    while (this.#takeWord(op)) of.push(readPart())
    return of.length === 1 ? first : { op, of }
  }

  #readOne(prefix: string, depth: number): Filter {
    if (depth > deepest) throw invalid('It is nested too deeply.')
    if (this.#takeSign('(')) return this.#readUntil(')', prefix, depth)
    const word = this.#word()
    if (word.toLowerCase() === 'not') {
      if (!this.#takeSign('(')) throw invalid('After “not” it needs parentheses.')
      return { op: 'not', of: this.#readUntil(')', prefix, depth) }
    }
    const path = prefix + attributeOf(word)
    if (this.#takeSign('[')) return this.#readUntil(']', `${path}.`, depth)
    return this.#readTest(path)
  }

  #readUntil(sign: string, prefix: string, depth: number): Filter {
    const filter = this.#readAny(prefix, depth + 1)
    if (!this.#takeSign(sign)) throw invalid('A parenthesis or bracket is not closed.')
    return filter
  }

  #readTest(path: string): Filter {
    this.#tests += 1
    if (this.#tests > mostTests) throw invalid(`It has more than ${mostTests} comparisons.`)
    const op = this.#word().toLowerCase()
    if (op === 'pr') return { op, path }
    if (!isComparison(op)) throw invalid(`“${op.slice(0, 40)}” is no operator.`)
    return { op, path, value: this.#operand() }
  }

  #operand(): Operand {
    const token = this.#tokens[this.#at++]
    if (token?.kind === 'value') return token.value
    const constant = token?.kind === 'word' ? constants.get(token.text.toLowerCase()) : undefined
    if (constant === undefined) throw invalid('A value is missing.')
    return constant
  }

  #word(): string {
    const token = this.#tokens[this.#at++]
    if (token?.kind !== 'word') throw invalid('It ends too early, or a name is missing.')
    return token.text
  }

  #takeWord(text: string): boolean {
    const token = this.#tokens[this.#at]
    const isNext = token?.kind === 'word' && token.text.toLowerCase() === text
    if (isNext) this.#at += 1
    return isNext
  }

  #takeSign(text: string): boolean {
    const token = this.#tokens[this.#at]
    const isNext = token?.kind === 'sign' && token.text === text
    if (isNext) this.#at += 1
    return isNext
  }
}

/** The name of an extension's schema holds dots, so its attributes are never taken apart: none of them is kept. */
const pathOf = (word: string): Path => {
  const name = attributeOf(word)
  const [attribute = '', ...rest] = name.startsWith('urn:') ? [name] : name.split('.')
  return rest.length === 0 ? { attribute } : { attribute, sub: rest.join('.') }
}

/** Throws `scim_invalid_filter`. */
export const parseFilter = (text: string): Filter => {
  const reader = new Reader(text)
  const filter = reader.readFilter()
  if (!reader.isAtEnd) throw invalid('Something follows its end.')
  return filter
}

/** Throws `scim_invalid_path`. */
export const parsePath = (text: string): Path => {
  try {
    const reader = new Reader(text)
    const path = reader.readPath()
    if (reader.isAtEnd) return path
  } catch (problem) {
    if (!(problem instanceof AppError)) throw problem
  }
  throw new AppError('scim_invalid_path', { detail: `“${text.slice(0, 100)}” is not a path.` })
}
