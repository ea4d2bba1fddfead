/** Follows where instructions draw, and refuses positions that readers find differently. Pure. */
import { ReadersDisagree, type Value } from '../strict/syntax.ts'
import { numberOf } from '../strict/values.ts'
import { movesText, showsText } from './operators.ts'

type Matrix = readonly [number, number, number, number, number, number]

/** Readers count with 32 bits or with 64. Beyond this, in points, they differ by more than a printer shows. */
const farthest = 1_000_000

export const requireNear = (matrix: readonly number[]): void => {
  if (Math.abs(matrix[4] ?? 0) > farthest || Math.abs(matrix[5] ?? 0) > farthest)
    throw new ReadersDisagree('something is drawn by way of a position far outside of the page')
}

export class Positions {
  #matrix: Matrix = [1, 0, 0, 1, 0, 0]
  readonly #saved: { matrix: Matrix; hasText: boolean }[] = []
  /** The position of text was changed since the last `q`. */
  #hasText = false
  /** With `Q` some readers go back to the position of text at `q`, and others stay. */
  #isUnclear = false

  add(operator: string, operands: readonly Value[]): void {
    if (operator === 'q') this.#save()
    else if (operator === 'Q') this.#restore()
    else if (operator === 'cm') this.#matrix = this.#placed(operands)
    else if (operator === 'Tm') this.#placed(operands)
    if (operator === 'BT' || operator === 'Tm') this.#isUnclear = false
    if (showsText.has(operator) && this.#isUnclear)
      throw new ReadersDisagree('text at a position that programs find each in their own way')
    if (movesText.has(operator) || showsText.has(operator)) this.#hasText = true
  }

  #save(): void {
    this.#saved.push({ matrix: this.#matrix, hasText: this.#hasText })
    this.#hasText = false
  }

  #restore(): void {
    const before = this.#saved.pop()
    if (!before) return
    this.#isUnclear ||= this.#hasText
    this.#hasText ||= before.hasText
    this.#matrix = before.matrix
  }

  #placed(operands: readonly Value[]): Matrix {
    const [a, b, c, d, e, f] = this.#matrix
    const [g = 1, h = 0, i = 0, j = 1, k = 0, l = 0] = operands.map((one) => numberOf(one) ?? 0)
    const placed: Matrix = [
      a * g + c * h,
      b * g + d * h,
      a * i + c * j,
      b * i + d * j,
      a * k + c * l + e,
      b * k + d * l + f,
    ]
    requireNear(placed)
    return placed
  }
}

/** A rectangle from far away by its corners, so that no reader has to add large numbers; undefined for others. */
export const farRectangle = (operands: readonly Value[]): readonly string[] | undefined => {
  const [x = 0, y = 0, width = 0, height = 0] = operands.map((one) => numberOf(one) ?? 0)
  if ([x, y, width, height].every((one) => Math.abs(one) < farRectangleFrom)) return undefined
  const [right, top] = [x + width, y + height].map((one) => Number(one.toFixed(5)))
  return [`${x} ${y} m`, `${right} ${y} l`, `${right} ${top} l`, `${x} ${top} l`, 'h']
}

const farRectangleFrom = 100_000
