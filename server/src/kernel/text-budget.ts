/**
 * The most text that may be put together from parts. Each part is charged before anything is built: a short text can
 * name a long value thousands of times. Pure.
 */
export interface TextBudget {
  /** In characters. */
  readonly left: number
  /** Throws once there is nothing left. */
  charge(length: number): void
}

export const createTextBudget = (most: number, refusal: () => Error): TextBudget => {
  let left = most
  return {
    get left() {
      return left
    },
    charge: (length) => {
      left -= length
      if (left < 0) throw refusal()
    },
  }
}
