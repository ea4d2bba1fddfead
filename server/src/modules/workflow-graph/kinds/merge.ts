/** Joins branches. */
import type { NodeKind } from './kind.ts'

export const merge: NodeKind<'merge'> = {
  texts: [],
  isOutward: false,
  isCall: false,
  joins: ({ mode }) => (mode === 'any' ? 'first' : 'all'),
}
