/** Branches: yes or no, or several cases. */
import { Split } from 'lucide-react'
import { counted } from '#lib/text/counted.ts'
import { type NodeKind, textOf } from './kind.ts'

const hasCases = (cases: unknown): cases is unknown[] => Array.isArray(cases) && cases.length > 0

/** A draft may contain any value here. */
const handlesIn = (cases: readonly unknown[]): string[] =>
  cases.flatMap((one) => {
    const handle = (one as { handle?: unknown } | null)?.handle
    return typeof handle === 'string' && handle !== '' ? [handle] : []
  })

export const condition: NodeKind = {
  label: 'Condition',
  icon: Split,
  purpose: 'Branches on one or more expressions.',
  idStem: 'check',
  start: { expression: '' },
  summary: ({ expression, cases }) => (hasCases(cases) ? counted(cases.length, 'case') : textOf(expression)),
  texts: () => ({ expression: ['expression', 'cases'] }),
  handles: ({ cases }) => (hasCases(cases) ? [...new Set([...handlesIn(cases), 'else'])] : undefined),
  result: () => ['handle'],
  passesOn: () => true,
  fields: { expression: 'Expression', cases: 'Cases' },
}
