/** Builds an object, each field by an expression. */
import { expression } from './checks.ts'
import type { NodeKind } from './kind.ts'

export const transform: NodeKind<'transform'> = {
  texts: [],
  check: ({ fields }, around) =>
    Object.entries(fields).flatMap(([name, text]) => expression(['fields', name], text, around)),
  isOutward: false,
  isCall: false,
}
