/** What the parts of the rebuilder ask of each other. */
import type { Keys, Shape } from '../allow-list/shape.ts'
import type { StrictFile } from '../strict/strict-file.ts'
import type { Dict, Value } from '../strict/syntax.ts'
import type { Layers } from './layers.ts'
import type { Removed } from './removed.ts'

/** What the names in instructions stand for. */
export interface Scope {
  /** Different for other resources. */
  id: number
  resources: Value | undefined
  /** The page on which it was met first. */
  page: number
}

export interface Rebuilding {
  readonly file: StrictFile
  readonly layers: Layers
  readonly removed: Removed
  /** Undefined for what is of another kind than it should be. */
  value(given: Value, shape: Shape, scope: Scope): Value | undefined
  /** A new object, by its number. */
  add(value: Value): Value
  entries(entries: Dict, keys: Keys, scope: Scope): Map<string, Value>
  /** The shape that the value has; undefined if it has none of this kind. */
  exact(value: Value, shape: Shape): Shape | undefined
  /** With these resources, or those around. */
  scope(resources: Value | undefined, around: Scope): Scope
}
