/** Formulas, with their fonts. A separate file, so it loads only when needed. */
import 'katex/dist/katex.min.css'
import { createMathPlugin } from '@streamdown/math'

export const math = createMathPlugin({ errorColor: 'var(--bad)' })
