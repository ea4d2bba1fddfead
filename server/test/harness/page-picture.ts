/**
 * Pictures of pages by different programs, compared by how dark each part is: programs smooth letters each in their own
 * way, but a word that is another one is darker or lighter somewhere.
 */

/** One byte for each pixel: 0 is black. */
export interface PagePicture {
  width: number
  height: number
  pixels: Uint8Array
}

/** Fractions of the page. */
export interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** In pixels: half a letter at the size that tests draw pages. */
const cell = 5

interface Grid {
  columns: number
  rows: number
  means: Float64Array
}

/** The mean of each cell together with those around it: a letter may lie half a pixel further. */
const gridOf = ({ width, height, pixels }: PagePicture): Grid => {
  const [columns, rows] = [Math.floor(width / cell), Math.floor(height / cell)]
  const sums = new Float64Array(columns * rows)
  for (let y = 0; y < rows * cell; y += 1)
    for (let x = 0; x < columns * cell; x += 1) {
      const index = Math.floor(y / cell) * columns + Math.floor(x / cell)
      sums[index] = (sums[index] ?? 0) + (pixels[y * width + x] ?? 255)
    }
  const means = sums.map((_, index) => {
    const [row, column] = [Math.floor(index / columns), index % columns]
    let [sum, count] = [0, 0]
    for (let y = Math.max(0, row - 1); y <= Math.min(rows - 1, row + 1); y += 1)
      for (let x = Math.max(0, column - 1); x <= Math.min(columns - 1, column + 1); x += 1) {
        sum += (sums[y * columns + x] ?? 0) / cell ** 2
        count += 1
      }
    return sum / count
  })
  return { columns, rows, means }
}

/** The largest difference of a part of the page outside of the masks, from 0 to 255. */
export const largestDifference = (one: PagePicture, other: PagePicture, masks: readonly Box[] = []): number => {
  if (one.width !== other.width || one.height !== other.height) throw new Error('The pictures have different sizes.')
  const [{ columns, rows, means }, others] = [gridOf(one), gridOf(other)]
  const reach = 2 * cell
  const isMasked = (x: number, y: number) =>
    masks.some(
      (mask) =>
        x > mask.x * one.width - reach &&
        x < (mask.x + mask.width) * one.width + reach &&
        y > mask.y * one.height - reach &&
        y < (mask.y + mask.height) * one.height + reach,
    )
  let largest = 0
  for (let row = 0; row < rows; row += 1)
    for (let column = 0; column < columns; column += 1) {
      if (isMasked((column + 0.5) * cell, (row + 0.5) * cell)) continue
      const index = row * columns + column
      largest = Math.max(largest, Math.abs((means[index] ?? 0) - (others.means[index] ?? 0)))
    }
  return largest
}
