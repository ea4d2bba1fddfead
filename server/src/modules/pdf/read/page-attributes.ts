/** Attributes of a page, its own or inherited from its parents. */
import { type PDF, PdfArray, PdfDict, PdfNumber, type PdfObject, type PdfRef } from '@libpdf/core'
import { type Box, boxOf, rotationOf, type VisiblePage, visibleBox } from './page-geometry.ts'

type Resolve = (ref: PdfRef) => PdfObject | null

export const resolverOf =
  (pdf: PDF): Resolve =>
  (ref) =>
    pdf.getObject(ref)

const maxDepth = 64

/** An attribute of the page or of the nearest parent that has it. A tree that leads back to itself ends the search. */
export const inherited = (pdf: PDF, page: PdfDict, name: string): PdfObject | undefined => {
  const resolve = resolverOf(pdf)
  let node: PdfDict | undefined = page
  for (let depth = 0; node && depth < maxDepth; depth += 1) {
    const value = node.get(name, resolve)
    if (value) return value
    node = node.getDict('Parent', resolve)
  }
  return undefined
}

export const visiblePage = (pdf: PDF, page: PdfDict): VisiblePage => {
  const rotate = inherited(pdf, page, 'Rotate')
  return {
    box: visibleBox(boxIn(pdf, inherited(pdf, page, 'MediaBox')), boxIn(pdf, inherited(pdf, page, 'CropBox'))),
    rotation: rotationOf(rotate instanceof PdfNumber ? rotate.value : undefined),
  }
}

export const boxIn = (pdf: PDF, value: PdfObject | undefined): Box | undefined => {
  if (!(value instanceof PdfArray)) return undefined
  const numbers = [0, 1, 2, 3].flatMap((index) => {
    const item = value.at(index, resolverOf(pdf))
    return item instanceof PdfNumber ? [item.value] : []
  })
  return boxOf(numbers)
}

/** A dictionary in a list of them. */
export const dictsIn = (pdf: PDF, list: PdfArray | undefined): PdfDict[] =>
  (list?.toArray() ?? []).flatMap((_, index) => {
    const item = list?.at(index, resolverOf(pdf))
    return item instanceof PdfDict ? [item] : []
  })
