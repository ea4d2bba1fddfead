/** Books: the chapters in the order of the spine. */
import type { Emit } from '../blocks.ts'
import { ExtractionFailure } from '../failure.ts'
import { resolveEntry, walkXml } from '../xml.ts'
import type { Zip } from '../zip.ts'
import { emitHtml } from './html.ts'

export const emitEpub = async (zip: Zip, emit: Emit): Promise<void> => {
  let packagePath = ''
  walkXml(zip.text('META-INF/container.xml') ?? '', {
    open: (name, attributes) => {
      if (name === 'rootfile') packagePath ||= attributes['full-path'] ?? ''
    },
  })
  const opf = zip.text(packagePath)
  if (opf === undefined) throw new ExtractionFailure('broken')
  const folder = packagePath.includes('/') ? packagePath.slice(0, packagePath.lastIndexOf('/')) : ''
  const items = new Map<string, string>()
  const spine: string[] = []
  walkXml(opf, {
    open: (name, { id = '', href = '', idref = '' }) => {
      if (name === 'item' || name === 'opf:item') items.set(id, resolveEntry(folder, decodeURI(href)))
      else if (name === 'itemref' || name === 'opf:itemref') spine.push(idref)
    },
  })
  for (const id of spine) {
    const chapter = zip.text(items.get(id) ?? '')
    if (chapter !== undefined) await emitHtml(chapter, emit)
  }
}
