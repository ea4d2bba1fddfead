/** Formulas, with their type faces. A file of its own so that it loads only where there is one. */
import 'katex/dist/katex.min.css'
import { createMathPlugin } from '@streamdown/math'

export const math = createMathPlugin({ errorColor: 'var(--bad)' })
