/** Runs another workflow. */
import { otherWorkflow } from './checks.ts'
import type { NodeKind } from './kind.ts'

export const subworkflow: NodeKind<'subworkflow'> = {
  texts: ['input'],
  check: ({ workflow_id }, around) => otherWorkflow(workflow_id, around),
  isOutward: true,
  isCall: false,
  refersTo: { kind: 'workflow', field: 'workflow_id' },
}
