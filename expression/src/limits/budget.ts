/**
 * The limit on the work of one evaluation. Every loop, every value that is built and every value that is read in full
 * is charged here first, so that no expression runs long or allocates much. A charge that is not a whole number is
 * refused: one NaN would switch the budget off.
 */
import { ExpressionError } from './errors.ts'

const maxSteps = 10_000
const maxTextUnits = 65_536
const maxElements = 10_000

/** The UTF-16 units of text that one step pays for, by what is done with them. */
const unitsPerStep = {
  /** Native code reads them: comparing, measuring. */
  scan: 256,
  /** Another text is looked for in them. */
  search: 128,
  /** A new text is made of them. */
  build: 64,
  /** They are visited one by one. */
  visit: 8,
}

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0

export class Budget {
  #steps = maxSteps

  /** The steps that were charged so far. */
  get spent(): number {
    return maxSteps - this.#steps
  }

  get left(): number {
    return this.#steps
  }

  /** For elements that are read or made. */
  spend(steps: number): void {
    if (!isCount(steps)) throw new ExpressionError('LimitExceeded', 'a size that cannot be counted')
    this.#steps -= steps
    if (this.#steps < 0) throw new ExpressionError('LimitExceeded', `more than ${maxSteps} steps`)
  }

  /** For text that is read or made. Short texts are free: the step of whatever handles them covers them. */
  spendText(units: number, how: keyof typeof unitsPerStep): void {
    this.spend(Math.floor(units / unitsPerStep[how]))
  }

  /** For a text that is about to be made. */
  buildText(units: number): void {
    this.allowText(units)
    this.spendText(units, 'build')
  }

  /** Checks a length without a charge. */
  allowText(units: number): void {
    if (!isCount(units) || units > maxTextUnits)
      throw new ExpressionError('LimitExceeded', `a text of more than ${maxTextUnits} characters`)
  }

  /** For a list, dict or set that is about to have this many elements. */
  allowElements(count: number): void {
    if (!isCount(count) || count > maxElements)
      throw new ExpressionError('LimitExceeded', `more than ${maxElements} elements`)
  }
}
