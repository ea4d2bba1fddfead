/** Puts the values of fields on their pages, upright for the reader whichever way the page is turned. */
import { ops, type PDF, type PDFImage, type PDFPage } from '@libpdf/core'
import type { PlacedField } from '../interface.ts'
import { visiblePage } from '../read/page-attributes.ts'
import { type Fractions, toPage, toSeen } from '../read/page-geometry.ts'
import type { TextPen } from './draw-text.ts'
import { lineHeight, paddingOf, smallestSize, widthLeft } from './text/fits.ts'
import { startsRight } from './text/visual-order.ts'

type Operator = ReturnType<typeof ops.fill>

/** The content that a field shows; images travel beside the request and are named by their position. */
export type Shown = { text: string } | { image: number } | { isChecked: boolean }

export interface DrawnField extends Pick<PlacedField, 'page' | 'x' | 'y' | 'width' | 'height' | 'signerName'> {
  kind: 'mark' | 'text'
  shown: Shown
}

export interface Desk {
  pdf: PDF
  pen: TextPen
  imageAt(index: number): PDFImage | undefined
}

export const drawFields = (desk: Desk, pages: readonly PDFPage[], fields: readonly DrawnField[]): void => {
  const byPage = Map.groupBy(fields, ({ page }) => page)
  for (const [number, placed] of byPage) {
    const page = pages[number - 1]
    if (!page) throw new Error(`A field is on page ${number}, which the file does not have.`)
    const seen = visiblePage(desk.pdf, page.dict)
    page.drawOperators([
      ops.pushGraphicsState(),
      ops.concatMatrix(...toPage(seen)),
      ops.setNonStrokingGray(0),
      ...placed.flatMap((field) => {
        const box = toSeen(seen, field)
        return cutOff(box, operatorsOf(desk, page, { field, box }))
      }),
      ops.popGraphicsState(),
    ])
  }
}

/** Nothing of a field is seen outside of its box. */
const cutOff = ({ x, y, width, height }: Fractions, drawing: readonly Operator[]): Operator[] => [
  ops.pushGraphicsState(),
  ops.rectangle(x, y, width, height),
  ops.clip(),
  ops.endPath(),
  ...drawing,
  ops.popGraphicsState(),
]

interface Placed {
  field: DrawnField
  box: Fractions
}

const operatorsOf = (desk: Desk, page: PDFPage, { field, box }: Placed): Operator[] => {
  const { shown } = field
  if ('isChecked' in shown) return shown.isChecked ? checkMark(box) : []
  if (field.kind !== 'mark')
    return 'text' in shown ? textIn(desk.pen, page, { text: shown.text, box, maxSize: 12 }) : []
  const { upper, caption } = withCaption(box)
  const name = caption ? textIn(desk.pen, page, { text: field.signerName, box: caption, maxSize: 7 }) : []
  if ('text' in shown) return [...textIn(desk.pen, page, { text: shown.text, box: upper, maxSize: 36 }), ...name]
  const image = desk.imageAt(shown.image)
  return image ? [...imageIn(page, image, upper), ...name] : name
}

const captionHeight = 9
const lowestWithCaption = 28

/** A mark in a box that is high enough has the signer's name below it. */
const withCaption = (box: Fractions): { upper: Fractions; caption?: Fractions } =>
  box.height < lowestWithCaption
    ? { upper: box }
    : {
        upper: { ...box, y: box.y + captionHeight, height: box.height - captionHeight },
        caption: { ...box, height: captionHeight },
      }

/** From the base line up, and from it down, as parts of the font's size. */
const descent = 0.24

interface FittedText {
  text: string
  box: Fractions
  maxSize: number
}

/** The largest size at which the text fits its box, down to one that is still drawn, though hardly read. */
const textIn = (pen: TextPen, page: PDFPage, { text, box, maxSize }: FittedText): Operator[] => {
  const padding = paddingOf(box.width)
  const width = widthLeft(box)
  const linesAt = (size: number): string[] => pen.wrap(text, size, width)
  let size = Math.min(maxSize, box.height / lineHeight)
  while (size > smallestSize && linesAt(size).length * size * lineHeight > box.height) size -= 0.5
  const lines = linesAt(size)
  const height = lines.length * size * lineHeight
  const top = box.y + box.height - Math.max(0, box.height - height) / 2
  return [
    ops.beginText(),
    ...lines.flatMap((line, index) =>
      pen.line(page, {
        text: line,
        x: box.x + padding + (startsRight(line) ? Math.max(0, width - pen.widthOf(line, size)) : 0),
        y: top - (index + 1) * size * lineHeight + size * descent,
        size,
      }),
    ),
    ops.endText(),
  ]
}

/** As large as the box allows, undistorted, in its middle. */
const imageIn = (page: PDFPage, image: PDFImage, box: Fractions): Operator[] => {
  const scale = Math.min(box.width / image.width, box.height / image.height)
  const width = image.width * scale
  const height = image.height * scale
  return [
    ops.pushGraphicsState(),
    ops.concatMatrix(width, 0, 0, height, box.x + (box.width - width) / 2, box.y + (box.height - height) / 2),
    ops.paintXObject(page.registerImage(image)),
    ops.popGraphicsState(),
  ]
}

const checkMark = ({ x, y, width, height }: Fractions): Operator[] => {
  const side = Math.min(width, height)
  const left = x + (width - side) / 2
  const bottom = y + (height - side) / 2
  return [
    ops.setLineWidth(Math.max(0.8, side / 10)),
    ops.moveTo(left + side * 0.2, bottom + side * 0.5),
    ops.lineTo(left + side * 0.42, bottom + side * 0.25),
    ops.lineTo(left + side * 0.82, bottom + side * 0.78),
    ops.stroke(),
  ]
}
