/** What is known while an expression is read, and what its compiled parts are. */
import type { SyntaxNode } from '@lezer/common'
import type { Budget } from './budget.ts'
import type { Source } from './source.ts'
import type { Value } from './values.ts'

/** One evaluation: the values of names by their slot, and what it may still do. */
export interface Frame {
  slots: Value[]
  budget: Budget
}
export type Evaluate = (frame: Frame) => Value

export interface Scope {
  source: Source
  /** Name to slot; a comprehension sees its own in front of these. */
  names: ReadonlyMap<string, number>
  /** A slot that nothing else uses. */
  newSlot(): number
  depth: number
  /** Compiles what stands inside: the way back to compile.ts, which knows every kind. */
  compile(node: SyntaxNode, scope: Scope): Evaluate
}

export type Compile = (node: SyntaxNode, scope: Scope) => Evaluate
