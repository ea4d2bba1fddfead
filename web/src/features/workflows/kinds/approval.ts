/** Asks a person before the run continues. */
import { CircleCheckBig } from 'lucide-react'
import { type NodeKind, textOf } from './kind.ts'

export const approval: NodeKind = {
  label: 'Approval',
  icon: CircleCheckBig,
  purpose: 'Asks a person to approve before the run continues.',
  idStem: 'ask',
  start: { title: '' },
  summary: ({ title }) => textOf(title),
  texts: () => ({ template: ['title', 'message'] }),
  result: () => ['approved', 'comment', 'by', 'at'],
  fields: { title: 'Question', message: 'Message', approvers: 'Approvers', deadline_sec: 'Deadline' },
}
