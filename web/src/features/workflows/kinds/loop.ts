/** Runs another workflow until a condition holds. */
import { RefreshCw } from 'lucide-react'
import { type NodeKind, textOf } from './kind.ts'

export const loop: NodeKind = {
  label: 'Loop',
  icon: RefreshCw,
  purpose: 'Runs another workflow again until a condition holds.',
  idStem: 'loop',
  start: { max_iterations: 10 },
  summary: ({ stop_when }) => textOf(stop_when) && `until ${textOf(stop_when)}`,
  texts: () => ({ template: ['input'], expression: ['stop_when'] }),
  fields: {
    workflow_id: 'Workflow',
    input: 'Input of the first iteration',
    stop_when: 'Stop when',
    max_iterations: 'Maximum iterations',
  },
}
