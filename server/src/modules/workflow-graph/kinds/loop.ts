/** Runs another workflow again and again. */
import type { Name } from '@chancery/expression'
import { expression, otherWorkflow } from './checks.ts'
import { type NodeKind, stateNames } from './kind.ts'

/** The names that its condition can use. */
const loopNames: readonly Name[] = [...stateNames, 'output', 'iteration']

export const loop: NodeKind<'loop'> = {
  texts: ['input'],
  check: ({ workflow_id, stop_when }, around) => [
    ...expression(['stop_when'], stop_when, { ...around, known: loopNames }),
    ...otherWorkflow(workflow_id, around),
  ],
  isOutward: true,
  isCall: false,
  refersTo: { kind: 'workflow', field: 'workflow_id' },
}
