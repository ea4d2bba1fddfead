/** Computes its output with JavaScript, or with one expression. */
import { expression, javaScript } from './checks.ts'
import type { NodeKind } from './kind.ts'

export const code: NodeKind<'code'> = {
  texts: [],
  check: ({ language, code: text }, around) =>
    language === 'expression' ? expression(['code'], text, around) : javaScript(['code'], text, around),
  isOutward: false,
  isCall: true,
}
