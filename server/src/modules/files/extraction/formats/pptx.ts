/** Presentations, slide by slide in their order, with the speaker's notes. */
import { type Emit, emitTable } from '../blocks.ts'
import { ExtractionFailure } from '../failure.ts'
import { readRelationships, walkXml } from '../xml.ts'
import type { Zip } from '../zip.ts'

interface Slide {
  title: string
  paragraphs: string[]
  tables: string[][][]
}

export const emitPptx = async (zip: Zip, emit: Emit): Promise<void> => {
  for (const [index, path] of slidePaths(zip).entries()) {
    const { title, paragraphs, tables } = readSlide(zip.text(path) ?? '')
    const under = { page: index + 1, heading: title }
    await emit({ text: paragraphs.join('\n'), ...under })
    for (const rows of tables) await emitTable(emit, rows, under)
    const notes = notesOf(zip, path)
    if (notes.length > 0) await emit({ text: notes.join('\n'), ...under })
  }
}

const slidePaths = (zip: Zip): string[] => {
  const presentation = zip.text('ppt/presentation.xml')
  if (presentation === undefined) throw new ExtractionFailure('broken')
  const targets = readRelationships(zip.text('ppt/_rels/presentation.xml.rels'), 'ppt')
  const paths: string[] = []
  walkXml(presentation, {
    open: (name, attributes) => {
      const target = name === 'p:sldId' ? targets.get(attributes['r:id'] ?? '') : undefined
      if (target) paths.push(target)
    },
  })
  return paths
}

const notesOf = (zip: Zip, slide: string): string[] => {
  const at = slide.lastIndexOf('/')
  const targets = readRelationships(zip.text(`${slide.slice(0, at)}/_rels${slide.slice(at)}.rels`), slide.slice(0, at))
  const notes = [...targets.values()].find((target) => target.includes('notesSlide'))
  return notes ? readSlide(zip.text(notes) ?? '').paragraphs.filter((text) => !/^\d+$/.test(text)) : []
}

const readSlide = (xml: string): Slide => {
  const slide: Slide = { title: '', paragraphs: [], tables: [] }
  let text = ''
  let isText = false
  let isTitle = false
  let isInTable = false
  walkXml(xml, {
    open: (name, { type }) => {
      if (name === 'a:t') isText = true
      else if (name === 'a:br') text += '\n'
      else if (name === 'p:sp') isTitle = false
      else if (name === 'p:ph' && (type === 'title' || type === 'ctrTitle')) isTitle = true
      else if (name === 'a:tbl') {
        slide.tables.push([])
        isInTable = true
      } else if (name === 'a:tr') slide.tables.at(-1)?.push([])
      else if (name === 'a:tc') slide.tables.at(-1)?.at(-1)?.push('')
    },
    text: (piece) => {
      if (isText) text += piece
    },
    close: (name) => {
      if (name === 'a:t') isText = false
      else if (name === 'a:tbl') isInTable = false
      else if (name === 'a:p') {
        const row = isInTable ? slide.tables.at(-1)?.at(-1) : undefined
        if (row && row.length > 0) row[row.length - 1] += ` ${text}`
        else if (text.trim() !== '') slide.paragraphs.push(text)
        if (isTitle && text.trim() !== '') slide.title = slide.title ? `${slide.title} ${text}` : text
        text = ''
      }
    },
  })
  return slide
}
