/** Tells whether two files hold the same things: object by object, whatever their numbers are. Pure. */
import { unpack } from '../strict/filters.ts'
import { type Dict, SyntaxProblem, type Value } from '../strict/syntax.ts'
import { nameOf, type Resolve } from '../strict/values.ts'

/** What one file holds, and what the other holds in its place. */
export type Pair = readonly [one: Value | undefined, other: Value | undefined]

type Stream = Extract<Value, { kind: 'stream' }>

/** Files that are compared in more steps were made to cost. */
const maxSteps = 5_000_000

export class SameObjects {
  readonly #resolveOne: Resolve
  readonly #resolveOther: Resolve
  /** Two that were compared before need no second look, and neither do two that lead back to themselves. */
  readonly #same = new Map<Value, Set<Value>>()
  #steps = 0

  constructor(one: Resolve, other: Resolve) {
    this.#resolveOne = one
    this.#resolveOther = other
  }

  /** False also for what can't be read or takes too long: then nothing is known about it. */
  areSame(pairs: readonly Pair[]): boolean {
    const assumed: [Value, Value][] = []
    let areSame = false
    try {
      areSame = this.#compareAll([...pairs], assumed)
    } catch (problem) {
      if (!(problem instanceof SyntaxProblem)) throw problem
    }
    // They were only the same as long as everything in them was.
    if (!areSame) for (const [one, other] of assumed) this.#same.get(one)?.delete(other)
    return areSame
  }

  #compareAll(waiting: Pair[], assumed: [Value, Value][]): boolean {
    for (let pair = waiting.pop(); pair; pair = waiting.pop()) {
      this.#steps += 1
      if (this.#steps > maxSteps) return false
      const [one, other] = [this.#resolveOne(pair[0]), this.#resolveOther(pair[1])]
      if (!one && !other) continue
      if (one?.kind === 'plain' && other?.kind === 'plain' && one.text === other.text) continue
      if (!one || !other || one.kind === 'plain' || one.kind !== other.kind) return false
      if (!this.#isNew(one, other)) continue
      assumed.push([one, other])
      const inner = partsOf(one, other, this.#resolveOther)
      if (!inner) return false
      for (const part of inner) waiting.push(part)
    }
    return true
  }

  #isNew(one: Value, other: Value): boolean {
    const known = this.#same.get(one) ?? new Set()
    this.#same.set(one, known)
    return known.size < known.add(other).size
  }
}

/** Undefined where they differ already. */
const partsOf = (one: Value, other: Value, resolve: Resolve): Pair[] | undefined => {
  if (one.kind === 'array' && other.kind === 'array')
    return one.items.length === other.items.length ? one.items.map((item, at) => [item, other.items[at]]) : undefined
  if (one.kind === 'dict' && other.kind === 'dict') return entriesIn(one.entries, other.entries, new Set())
  if (one.kind !== 'stream' || other.kind !== 'stream') return undefined
  if (one.data.equals(other.data)) return entriesIn(one.entries, other.entries, new Set(['Length']))
  return isPacked(one, other, resolve)
    ? entriesIn(one.entries, other.entries, new Set(['Length', 'Filter']))
    : undefined
}

/** What is stored plainly is packed when it is sealed. */
const isPacked = (one: Stream, other: Stream, resolve: Resolve): boolean =>
  !one.entries.has('Filter') &&
  !one.entries.has('DecodeParms') &&
  nameOf(resolve(other.entries.get('Filter'))) === 'FlateDecode' &&
  !other.entries.has('DecodeParms') &&
  unpack(other, resolve).equals(one.data)

export const entriesIn = (one: Dict, other: Dict, without: ReadonlySet<string>): Pair[] => {
  const keys = new Set([...one.keys(), ...other.keys()])
  return [...keys].flatMap((key): Pair[] => (without.has(key) ? [] : [[one.get(key), other.get(key)]]))
}
