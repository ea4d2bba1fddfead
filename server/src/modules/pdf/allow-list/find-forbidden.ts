/** Judges a whole file by the shapes that its parts may have. Pure. */
import type { Dict, Value } from '../strict/syntax.ts'
import { entriesOf, type Resolve } from '../strict/values.ts'
import { resources } from './drawings.ts'
import { dictOf, exactShape, type Keys, packing, type Shape, streamOf } from './shape.ts'

interface Part {
  value: Value
  shape: Shape
  /** How it was reached, for people who look for the reason. */
  path: string
}

/** Where the first part is that may not be in the file; undefined when there is none. */
export const findForbidden = (value: Value, shape: Shape, resolve: Resolve): string | undefined => {
  const judge = new Judge(resolve)
  judge.add({ value, shape, path: '' })
  return judge.find()
}

/** With a list instead of recursion, since a file may be a long chain. */
class Judge {
  readonly #resolve: Resolve
  readonly #waiting: Part[] = []
  readonly #seen = new Map<Shape, Set<number>>()

  constructor(resolve: Resolve) {
    this.#resolve = resolve
  }

  add(part: Part): void {
    this.#waiting.push(part)
  }

  find(): string | undefined {
    for (let part = this.#waiting.pop(); part; part = this.#waiting.pop()) {
      const problem = this.#isNew(part) ? this.#problemIn(part) : undefined
      if (problem !== undefined) return problem
    }
    return undefined
  }

  /** An object is judged once for each shape that it should have. */
  #isNew({ value, shape }: Part): boolean {
    if (value.kind !== 'ref') return true
    const seen = this.#seen.get(shape) ?? new Set<number>()
    this.#seen.set(shape, seen)
    return seen.size < seen.add(value.number).size
  }

  #problemIn({ value: given, shape: wanted, path }: Part): string | undefined {
    const value = this.#resolve(given)
    if (!value) return undefined
    const shape = exactShape(value, wanted, this.#resolve)
    if (!shape) return path || '/'
    if (shape.is === 'array' && value.kind === 'array')
      for (const item of value.items) this.add({ value: item, shape: shape.items(), path: `${path}[]` })
    const entries = entriesOf(value)
    return entries && this.#problemAmong(entries, shape, path)
  }

  #problemAmong(entries: Dict, shape: Shape, path: string): string | undefined {
    const { keys, rest } = allowedIn(shape)
    for (const [key, value] of entries) {
      const inner = Object.hasOwn(keys, key) ? keys[key] : rest
      if (!inner) return `${path}/${key}`
      this.add({ value, shape: inner(), path: `${path}/${key}` })
    }
    return undefined
  }
}

const letters = dictOf({}, streamOf({}))

/** The entries of a dictionary or a stream, by their keys. */
const allowedIn = (shape: Shape): { keys: Keys; rest?: () => Shape } => {
  if (shape.is === 'dict' || shape.is === 'stream') return shape
  if (shape.is === 'drawing') return { keys: { ...packing, ...shape.keys, Resources: resources } }
  return shape.is === 'letters' ? { keys: { ...shape.keys, CharProcs: letters, Resources: resources } } : { keys: {} }
}
