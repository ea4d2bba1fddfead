/** Which pages an update writes again, where our own reading of the file shows no difference. */
import { PDF, PdfArray, PdfDict, type PdfObject, PdfRef } from '@libpdf/core'
import { resolverOf } from '../read/page-attributes.ts'
import type { Change } from './changes.ts'

const maxListed = 100

/** By the objects that the appended bytes name; those that are packed in streams can't be told. */
export const redefinedPages = async (signed: Buffer, appended: Buffer): Promise<Change[]> => {
  const before = await PDF.load(signed).catch(() => undefined)
  const numbers = new Set(
    [...appended.toString('latin1').matchAll(/(\d{1,10})\s+\d+\s+obj/g)].map(([, one]) => Number(one)),
  )
  if (!before || numbers.size === 0) return [{ kind: 'bytes_appended' }]
  const touched = before.getPages().flatMap((page): Change[] => {
    const isTouched = numbers.has(page.ref.objectNumber) || refersTo(before, page.dict, numbers)
    return isTouched ? [{ kind: 'page_changed', page: page.index + 1 }] : []
  })
  return touched.length > 0 ? touched.slice(0, maxListed) : [{ kind: 'bytes_appended' }]
}

/** With the page's parents, since it inherits from them, but not with other pages. */
const refersTo = (pdf: PDF, page: PdfDict, numbers: ReadonlySet<number>): boolean => {
  const resolve = resolverOf(pdf)
  const seen = new Set<PdfObject>()
  const waiting: (PdfObject | null | undefined)[] = [page]
  while (waiting.length > 0) {
    const value = waiting.pop()
    if (value instanceof PdfRef) {
      if (numbers.has(value.objectNumber)) return true
      waiting.push(resolve(value))
    } else if ((value instanceof PdfDict || value instanceof PdfArray) && !seen.has(value)) {
      seen.add(value)
      waiting.push(...partsOf(value))
    }
  }
  return false
}

const partsOf = (value: PdfDict | PdfArray): PdfObject[] =>
  value instanceof PdfArray ? [...value] : [...value].flatMap(([key, part]) => (key.value === 'Kids' ? [] : [part]))
