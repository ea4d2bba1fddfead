/** How much one evaluation may do. Every loop and every new value is charged here first, so nothing large is ever built. */
import { ExpressionError } from './errors.ts'

const maxSteps = 10_000
const maxTextUnits = 65_536
const maxElements = 10_000

export class Budget {
  #steps = maxSteps

  /** For elements that are looked at, one by one or at once. */
  spend(steps: number): void {
    this.#steps -= steps
    if (this.#steps < 0) throw new ExpressionError('LimitExceeded', `more than ${maxSteps} steps`)
  }

  /** For a text that is about to be made. */
  allowText(length: number): void {
    if (length > maxTextUnits)
      throw new ExpressionError('LimitExceeded', `a text of more than ${maxTextUnits} characters`)
  }

  /** For a list, dict or set that is about to have so many elements. */
  allowElements(count: number): void {
    if (count > maxElements) throw new ExpressionError('LimitExceeded', `more than ${maxElements} elements`)
  }
}
