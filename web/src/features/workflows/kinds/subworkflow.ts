/** Runs another workflow and uses its result. */
import { Workflow } from 'lucide-react'
import type { NodeKind } from './kind.ts'

export const subworkflow: NodeKind = {
  label: 'Subworkflow',
  icon: Workflow,
  purpose: 'Runs another workflow and uses its result.',
  idStem: 'sub',
  start: {},
  summary: () => '',
  texts: () => ({ template: ['input'] }),
  fields: { workflow_id: 'Workflow', input: 'Input' },
}
