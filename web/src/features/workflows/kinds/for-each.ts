/** Runs another workflow once for each item. */
import { Repeat } from 'lucide-react'
import { type NodeKind, textOf } from './kind.ts'

export const forEach: NodeKind = {
  label: 'For each',
  icon: Repeat,
  purpose: 'Runs another workflow once for each item of a list.',
  idStem: 'each',
  start: { items: '' },
  summary: ({ items }) => textOf(items),
  texts: () => ({ expression: ['items'] }),
  fields: {
    items: 'Items',
    workflow_id: 'Workflow',
    parallel: 'In parallel',
    max_items: 'Maximum items',
    on_item_error: 'When an item fails',
  },
}
