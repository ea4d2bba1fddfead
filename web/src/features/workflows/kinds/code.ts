/** Computes its output: JavaScript or one expression. */
import { Braces } from 'lucide-react'
import { type NodeKind, textOf } from './kind.ts'

export const code: NodeKind = {
  label: 'Code',
  icon: Braces,
  purpose: 'Computes its output with JavaScript or an expression.',
  idStem: 'code',
  start: { code: 'return input\n' },
  summary: ({ code: source }) => textOf(source),
  texts: ({ language }) => (language === 'expression' ? { expression: ['code'] } : {}),
  fields: { language: 'Language', code: 'Code' },
}
