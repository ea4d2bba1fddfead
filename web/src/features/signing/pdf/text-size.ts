/** How large a value is written, so that all of it fits its field. Pure. */
interface Room {
  width: number
  height: number
}

const largest = 12
/** Free on either side of a text. */
export const margin = 2
const share = 0.72
/** The usual width of a letter of a signature, as a part of its height. */
const signedWidth = 0.52

/** Of the widest of its kind in the interface's font, as a part of its height; a little more than usual. */
const widthOf = (letter: string): number => {
  if (letter >= '\u2e80') return 1
  if (/\p{Lu}/u.test(letter)) return 0.7
  return /\d/.test(letter) ? 0.62 : 0.54
}

export const signatureSize = (text: string, { width, height }: Room): number =>
  Math.min(height * share, width / Math.max(1, [...text].length * signedWidth))

export const textSize = (text: string, { width, height }: Room): number => {
  const needed = [...text].reduce((sum, letter) => sum + widthOf(letter), 0)
  return Math.min(largest, height * share, (width - 2 * margin) / Math.max(1, needed))
}
