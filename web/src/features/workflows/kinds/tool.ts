/** Calls a tool without a model. */
import { Wrench } from 'lucide-react'
import { type NodeKind, textOf } from './kind.ts'

export const tool: NodeKind = {
  label: 'Tool',
  icon: Wrench,
  purpose: 'Calls a tool with fixed arguments, without a model.',
  idStem: 'tool',
  start: { tool: '' },
  summary: ({ tool: name }) => textOf(name),
  texts: () => ({ template: ['arguments'] }),
  fields: { tool: 'Tool', arguments: 'Arguments' },
}
