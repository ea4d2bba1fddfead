/** Compresses what was just drawn. The library does it in JavaScript as it saves, which takes several times as long. */
import { deflateSync } from 'node:zlib'
import { type PDF, PdfName, PdfStream, PdfString } from '@libpdf/core'
import { dictsIn, resolverOf } from '../read/page-attributes.ts'

export const packStream = (stream: unknown): void => {
  if (!(stream instanceof PdfStream) || stream.has('Filter')) return
  stream.setData(deflateSync(stream.data))
  stream.set('Filter', PdfName.of('FlateDecode'))
}

/** The content of an attachment of this name. */
export const packAttachment = (pdf: PDF, name: string): void => {
  const resolve = resolverOf(pdf)
  const files = pdf
    .getCatalog()
    .getDict('Names', resolve)
    ?.getDict('EmbeddedFiles', resolve)
    ?.getArray('Names', resolve)
  for (const file of files ? dictsIn(pdf, files) : []) {
    const title = file.get('UF', resolve)
    if (title instanceof PdfString && title.asString() === name)
      packStream(file.getDict('EF', resolve)?.get('F', resolve))
  }
}
