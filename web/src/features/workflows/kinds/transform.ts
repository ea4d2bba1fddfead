/** Builds fields with an expression each. */
import { Shapes } from 'lucide-react'
import { isObject, type NodeKind } from './kind.ts'

const namesOf = (fields: unknown): string[] => (isObject(fields) ? Object.keys(fields) : [])

export const transform: NodeKind = {
  label: 'Transform',
  icon: Shapes,
  purpose: 'Builds new fields from earlier results.',
  idStem: 'shape',
  start: { fields: {} },
  summary: ({ fields }) => namesOf(fields).join(', '),
  texts: () => ({ expression: ['fields'] }),
  result: ({ fields }) => namesOf(fields),
  fields: { fields: 'Fields' },
}
