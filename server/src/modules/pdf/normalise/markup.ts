/** Marked text whose file has no look for it: every viewer draws the mark itself, and all nearly the same. */
import { boxOf } from '../read/page-geometry.ts'
import type { StrictFile } from '../strict/strict-file.ts'
import type { Dict, Value } from '../strict/syntax.ts'
import { dict, name, nameOf, number, numberOf, numbers, numbersOf } from '../strict/values.ts'

/** The drawing in the page's own coordinates; undefined for another kind of annotation, or one without a position. */
export const markupDrawing = ({ resolve }: StrictFile, annotation: Dict): Value | undefined => {
  const kind = nameOf(resolve(annotation.get('Subtype'))) ?? ''
  const points = numbersOf(resolve, annotation.get('QuadPoints'))
  const quads = Array.from({ length: Math.floor(points.length / 8) }, (_, index) =>
    points.slice(index * 8, index * 8 + 8),
  )
  const colour = colourOf(numbersOf(resolve, annotation.get('C')), kind === 'Highlight')
  const drawn = quads.map((quad) => drawQuad(kind, quad))
  const box = boxAround(points)
  if (!box || !colour || drawn.some((one) => one === undefined)) return undefined
  const opacity = number(numberOf(resolve(annotation.get('CA'))) ?? 1)
  const state = dict({ BM: name(kind === 'Highlight' ? 'Multiply' : 'Normal'), ca: opacity, CA: opacity })
  return {
    kind: 'stream',
    entries: new Map([
      ['Subtype', name('Form')],
      ['BBox', numbers(box)],
      ['Resources', dict({ ExtGState: dict({ Mark: state }) })],
      ['Group', dict({ S: name('Transparency') })],
    ]),
    data: Buffer.from(`/Mark gs ${colour} ${drawn.join(' ')}`),
  }
}

/** Corners in the order that programs write: upper left, upper right, lower left, lower right. */
const drawQuad = (kind: string, quad: readonly number[]): string | undefined => {
  const [ax = 0, ay = 0, bx = 0, by = 0, cx = 0, cy = 0, dx = 0, dy = 0] = quad
  const width = Math.max(0.5, Math.hypot(ax - cx, ay - cy) / 16)
  if (kind === 'Highlight') return `${plain(ax, ay)} m ${plain(bx, by)} l ${plain(dx, dy)} l ${plain(cx, cy)} l h f`
  if (kind === 'Underline' || kind === 'Squiggly')
    return `${plain(width)} w ${plain(cx, cy + width)} m ${plain(dx, dy + width)} l S`
  if (kind !== 'StrikeOut') return undefined
  return `${plain(width)} w ${plain((ax + cx) / 2, (ay + cy) / 2)} m ${plain((bx + dx) / 2, (by + dy) / 2)} l S`
}

const plain = (...values: number[]): string => values.map((value) => value.toFixed(3)).join(' ')

const operators: Record<number, readonly [fill: string, stroke: string]> = {
  1: ['g', 'G'],
  3: ['rg', 'RG'],
  4: ['k', 'K'],
}

/** A mark without a colour is not seen. */
const colourOf = (colour: readonly number[], isFilled: boolean): string | undefined => {
  const operator = operators[colour.length]?.[isFilled ? 0 : 1]
  return operator && `${plain(...colour)} ${operator}`
}

const boxAround = (points: readonly number[]): number[] | undefined => {
  const xs = points.filter((_, index) => index % 2 === 0)
  const ys = points.filter((_, index) => index % 2 === 1)
  const box = boxOf([Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)])
  return box && [box.x0 - 1, box.y0 - 1, box.x1 + 1, box.y1 + 1]
}
