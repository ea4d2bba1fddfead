/** Runs another workflow once for each item. */
import { expression, otherWorkflow } from './checks.ts'
import type { NodeKind } from './kind.ts'

export const forEach: NodeKind<'for_each'> = {
  texts: [],
  check: ({ items, workflow_id }, around) => [
    ...expression(['items'], items, around),
    ...otherWorkflow(workflow_id, around),
  ],
  isOutward: true,
  isCall: false,
  refersTo: { kind: 'workflow', field: 'workflow_id' },
}
