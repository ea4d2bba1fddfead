/**
 * What a sealed value is bound to: its purpose and its row. Only the two functions here make one, so nothing can be sealed
 * without saying where it is stored, and `chancery rotate-keys` finds all of it.
 */
declare const bound: unique symbol
export type SealContext = string & { readonly [bound]: true }

export interface StoredSeal {
  /** Never changes: what was sealed for it would not open any more. */
  purpose: string
  table: string
  /** Of text, or of JSON with sealed texts anywhere in it. */
  columns: readonly string[]
  /** The columns whose values identify the row in its context, in this order. */
  by: readonly string[]
  /** The variable with a key of its own; where it is set, that key counts and not SVC_SECRET_KEY. */
  keyVariable?: string
}

const known: StoredSeal[] = []

/** Declares where sealed values are stored; returns how to name the context of a row. Called once, when its file loads. */
export const storedSeal = (seal: StoredSeal): ((...values: string[]) => SealContext) => {
  known.push(seal)
  return (...values) => sealContextOf(seal, values)
}

export const sealContextOf = ({ purpose }: StoredSeal, values: readonly string[]): SealContext =>
  [purpose, ...values].join(':') as SealContext

/** Those of all files that are loaded. */
export const storedSeals = (): readonly StoredSeal[] => known

/** For what is sealed and given away, in a cookie, an address or a header: it ends with its key. */
export const passingSeal = (purpose: string): SealContext => purpose as SealContext
