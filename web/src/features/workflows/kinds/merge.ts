/** Waits for several branches. */
import { Merge } from 'lucide-react'
import type { NodeKind } from './kind.ts'

export const merge: NodeKind = {
  label: 'Merge',
  icon: Merge,
  purpose: 'Waits for several branches, or for the first of them.',
  idStem: 'merge',
  start: {},
  summary: ({ mode }) => (mode === 'any' ? 'First branch' : 'All branches'),
  texts: () => ({}),
  passesOn: ({ mode }) => mode !== 'any',
  fields: { mode: 'Wait for' },
}
