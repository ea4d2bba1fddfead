/** Undoes the differences between neighbours that Flate and LZW data may be written as. Pure. */
import { SyntaxProblem } from './syntax.ts'

interface Predicted {
  /** 1: none, 2: TIFF, 10 and more: PNG. */
  predictor: number
  colors: number
  bits: number
  columns: number
}

export const undoPredictor = (data: Buffer, { predictor, colors, bits, columns }: Predicted): Buffer => {
  if (predictor === 1) return data
  const isUsual = [colors, columns].every((one) => Number.isSafeInteger(one) && one > 0 && one < 1 << 24)
  if (!isUsual || ![1, 2, 4, 8, 16].includes(bits)) throw new SyntaxProblem('a predictor')
  const step = Math.max(1, (colors * bits) >> 3)
  const row = Math.ceil((colors * bits * columns) / 8)
  if (predictor >= 10 && predictor <= 15) return undoPng(data, step, row)
  if (predictor !== 2 || bits !== 8) throw new SyntaxProblem('a predictor')
  const out = Buffer.from(data)
  for (let at = 0; at < out.length; at += 1)
    if (at % row >= step) out[at] = ((out[at] ?? 0) + (out[at - step] ?? 0)) & 0xff
  return out
}

const undoPng = (data: Buffer, step: number, row: number): Buffer => {
  const rows = Math.ceil(data.length / (row + 1))
  const out = Buffer.alloc(rows * row)
  for (let line = 0; line < rows; line += 1) {
    const from = line * (row + 1)
    const kind = data[from] ?? 0
    if (kind > 4) throw new SyntaxProblem('a predictor')
    for (let index = 0; index < row && from + 1 + index < data.length; index += 1) {
      const at = line * row + index
      const left = index >= step ? (out[at - step] ?? 0) : 0
      const up = line > 0 ? (out[at - row] ?? 0) : 0
      const corner = index >= step && line > 0 ? (out[at - row - step] ?? 0) : 0
      out[at] = ((data[from + 1 + index] ?? 0) + guess(kind, left, up, corner)) & 0xff
    }
  }
  return out
}

const guess = (kind: number, left: number, up: number, corner: number): number => {
  if (kind === 0) return 0
  if (kind === 1) return left
  if (kind === 2) return up
  if (kind === 3) return (left + up) >> 1
  const sum = left + up - corner
  const [toLeft, toUp, toCorner] = [Math.abs(sum - left), Math.abs(sum - up), Math.abs(sum - corner)]
  return toLeft <= toUp && toLeft <= toCorner ? left : toUp <= toCorner ? up : corner
}
