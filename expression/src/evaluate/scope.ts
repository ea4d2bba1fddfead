/** The compiler's knowledge while it reads an expression, and the type of compiled parts. */
import type { SyntaxNode } from '@lezer/common'
import type { Budget } from '../limits/budget.ts'
import type { Source } from '../syntax/source.ts'
import type { Value } from '../values/values.ts'

/** One evaluation: the values of names by slot, and the remaining budget. */
export interface Frame {
  slots: Value[]
  budget: Budget
}
export type Evaluate = (frame: Frame) => Value

export interface Scope {
  source: Source
  /** Name to slot; a comprehension's own names shadow outer ones. */
  names: ReadonlyMap<string, number>
  /** Names that are read from others. */
  derived: ReadonlyMap<string, Evaluate>
  /** Names to use instead of an unknown one. */
  suggested: readonly string[]
  /** A new, unused slot. */
  newSlot(): number
  depth: number
  /** The nodes compiled so far: the cost of one iteration of a loop. */
  compiled: { nodes: number }
  /** Compiles a nested node. Passed in, because compile.ts imports the files that need it. */
  compile(node: SyntaxNode, scope: Scope): Evaluate
}

export type Compile = (node: SyntaxNode, scope: Scope) => Evaluate
