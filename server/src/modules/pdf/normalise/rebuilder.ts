/**
 * Copies what the allow list names into a new file: object after object, each once, in the order in which they are met.
 * Pure.
 */
import { exactShape, type Keys, type Shape } from '../allow-list/shape.ts'
import { filtersOf, fullFilterName } from '../strict/filters.ts'
import type { StrictFile } from '../strict/strict-file.ts'
import { type Dict, ReadersDisagree, SyntaxProblem, type Value } from '../strict/syntax.ts'
import { array, name, ref } from '../strict/values.ts'
import { checkPicture } from './check-picture.ts'
import { rebuildDrawing, rebuildLetters } from './drawings.ts'
import type { Layers } from './layers.ts'
import { plainSpace } from './plain-space.ts'
import type { Rebuilding, Scope } from './rebuilding.ts'
import { type Removed, removedBy } from './removed.ts'

type Stream = Extract<Value, { kind: 'stream' }>

/** More objects than this come of a file that was made to grow. */
const maxObjects = 1_000_000
const filterNames = new Set(
  'ASCIIHexDecode ASCII85Decode LZWDecode FlateDecode RunLengthDecode CCITTFaxDecode JBIG2Decode DCTDecode JPXDecode'.split(
    ' ',
  ),
)

export class Rebuilder implements Rebuilding {
  readonly objects: Value[] = []
  readonly file: StrictFile
  readonly layers: Layers
  readonly removed: Removed
  readonly #known = new Map<Shape, Map<string, number>>()
  readonly #waiting: (() => void)[] = []
  readonly #scopes = new Map<number, number>()
  #scopeCount = 0

  constructor(file: StrictFile, layers: Layers, removed: Removed) {
    this.file = file
    this.layers = layers
    this.removed = removed
  }

  /** The number of a new object, whose content may come later. */
  reserve(): number {
    if (this.objects.length >= maxObjects) throw new SyntaxProblem('too many objects')
    return this.objects.push({ kind: 'plain', text: 'null' })
  }

  put(number: number, value: Value): void {
    this.objects[number - 1] = value
  }

  add(value: Value): Value {
    const number = this.reserve()
    this.put(number, value)
    return ref(number)
  }

  /** Rebuilds what was only reserved so far, and what that needs. */
  finish(): void {
    for (let index = 0; index < this.#waiting.length; index += 1) this.#waiting[index]?.()
    this.#waiting.length = 0
  }

  scope(resources: Value | undefined, around: Scope): Scope {
    if (!resources) return around
    const number = resources.kind === 'ref' ? resources.number : undefined
    const known = number === undefined ? undefined : this.#scopes.get(number)
    if (known === undefined) this.#scopeCount += 1
    const id = known ?? this.#scopeCount
    if (number !== undefined) this.#scopes.set(number, id)
    return { id, resources, page: around.page }
  }

  /** Undefined for what is of another kind than it should be. */
  value(given: Value, shape: Shape, scope: Scope): Value | undefined {
    const value = this.file.resolve(given)
    const exact = value && this.exact(value, shape)
    if (!value || !exact) return undefined
    if (exact.is === 'plain') return value
    const isObject = given.kind === 'ref' || value.kind === 'stream' || exact.is === 'letters'
    return isObject ? this.#later(given, value, exact, scope) : this.#build(value, exact, scope)
  }

  entries(entries: Dict, keys: Keys, scope: Scope, rest?: () => Shape): Map<string, Value> {
    const found = new Map<string, Value>()
    for (const [key, given] of entries) {
      const shape = Object.hasOwn(keys, key) ? keys[key] : rest
      const value = shape && this.value(given, shape(), scope)
      if (value) found.set(key, value)
      const kind = shape ? undefined : removedBy(key)
      if (kind) this.removed.add(kind, scope.page)
    }
    return found
  }

  exact(value: Value, shape: Shape): Shape | undefined {
    return exactShape(value, shape, this.file.resolve)
  }

  #later(given: Value, value: Value, shape: Shape, scope: Scope): Value {
    const build = (number: number) => () => this.put(number, this.#build(value, shape, scope))
    const key = given.kind === 'ref' ? `${given.number}${scopeKey(value, shape, scope)}` : undefined
    const known = this.#known.get(shape) ?? new Map<string, number>()
    this.#known.set(shape, known)
    const before = key === undefined ? undefined : known.get(key)
    if (before !== undefined) return ref(before)
    const number = this.reserve()
    if (key !== undefined) known.set(key, number)
    this.#waiting.push(build(number))
    return ref(number)
  }

  #build(value: Value, shape: Shape, scope: Scope): Value {
    if (shape.is === 'array' && value.kind === 'array')
      return array(
        plainSpace(value.items, this.file.resolve).map(
          (item) => this.value(item, shape.items(), scope) ?? { kind: 'plain', text: 'null' },
        ),
      )
    if (shape.is === 'dict' && value.kind === 'dict' && programs.filter((one) => value.entries.has(one)).length > 1)
      throw new ReadersDisagree('a font with several programs')
    if (shape.is === 'dict' && value.kind === 'dict')
      return { kind: 'dict', entries: this.entries(value.entries, shape.keys, scope, shape.rest) }
    if (shape.is === 'letters' && value.kind === 'dict') return rebuildLetters(this, value.entries, shape.keys, scope)
    if (value.kind !== 'stream') throw new SyntaxProblem('no stream')
    if (value.entries.has('F')) throw new ReadersDisagree('data from another file')
    if (shape.is === 'drawing') return rebuildDrawing(this, value, shape.keys, scope)
    return shape.is === 'stream' ? this.#stream(value, shape.keys, scope) : value
  }

  /** Its bytes stay as they are, unless a picture's end is missing. */
  #stream(given: Stream, keys: Keys, scope: Scope): Value {
    const value = given.entries.has('Width') ? checkPicture(given, this.file.resolve) : given
    const names = filtersOf(value, this.file.resolve).map((filter) => fullFilterName(filter.name))
    for (const one of names) if (!filterNames.has(one)) throw new SyntaxProblem(`the filter ${one.slice(0, 40)}`)
    const entries = this.entries(value.entries, keys, scope)
    entries.delete('Length')
    if (names.length > 0) entries.set('Filter', array(names.map(name)))
    const parameters = entries.get('DecodeParms')
    if (parameters && parameters.kind !== 'array') entries.set('DecodeParms', array([parameters]))
    return { ...value, entries }
  }
}

const programs = ['FontFile', 'FontFile2', 'FontFile3']

/** A drawing without resources of its own has those of what it is drawn on. */
const scopeKey = (value: Value, shape: Shape, scope: Scope): string => {
  const mayInherit = shape.is === 'drawing' || shape.is === 'letters'
  const isOwn = (value.kind === 'dict' || value.kind === 'stream') && value.entries.has('Resources')
  return mayInherit && !isOwn ? ` in ${scope.id}` : ''
}
