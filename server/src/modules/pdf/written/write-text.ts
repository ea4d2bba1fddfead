/** Makes a PDF of a text, in the child, and tells where its tags left room for fields. */
import { PDF } from '@libpdf/core'
import { undrawable } from '../draw/text/drawable.ts'
import type { TaggedField, TextToWrite } from '../interface.ts'
import { drawPages } from './draw-pages.ts'
import { type Filled, fillIn, mostFilled, type Run } from './fill-in.ts'
import { readHtml } from './read-html.ts'
import { readMarkdown } from './read-markdown.ts'

export interface TextRefusal {
  code:
    | 'text_empty'
    | 'document_text_too_long'
    | 'text_variables_missing'
    | 'text_tags_unknown'
    | 'text_elements_refused'
    | 'text_undrawable'
  /** What it is about, at most fifty. */
  names: string[]
}

const mostNames = 50
const refuse = (code: TextRefusal['code'], names: readonly string[] = []): { refusal: TextRefusal } => ({
  refusal: { code, names: names.slice(0, mostNames).map((name) => name.slice(0, 80).toWellFormed()) },
})

export const writeText = async ({
  format,
  text,
  values,
  paper,
}: TextToWrite): Promise<{ bytes: Buffer; fields: TaggedField[] } | { refusal: TextRefusal }> => {
  const { blocks, refused } = format === 'html' ? readHtml(text) : { blocks: readMarkdown(text), refused: [] }
  if (refused.length > 0) return refuse('text_elements_refused', refused)
  const filled = fillIn(blocks, values)
  const problem = problemOf(filled, textOf(filled.blocks))
  if (problem) return problem
  const pdf = PDF.create()
  const fields = drawPages(pdf, { blocks: filled.blocks, paper })
  return fields
    ? { bytes: Buffer.from(await pdf.save({ subsetFonts: true })), fields }
    : refuse('document_text_too_long')
}

const problemOf = ({ missing, invalid, length }: Filled, text: string): { refusal: TextRefusal } | undefined => {
  if (invalid.length > 0) return refuse('text_tags_unknown', invalid)
  if (missing.length > 0) return refuse('text_variables_missing', missing)
  if (length > mostFilled) return refuse('document_text_too_long')
  if (text.trim() === '') return refuse('text_empty')
  const strange = undrawable(text)
  return strange.length > 0 ? refuse('text_undrawable', strange) : undefined
}

const textOf = (blocks: Filled['blocks']): string => {
  const texts: string[] = []
  const read = (list: Filled['blocks']): void => {
    for (const block of list) {
      if (block.kind === 'list') for (const item of block.items) read(item)
      else if (block.kind === 'quote') read(block.blocks)
      else if (block.kind === 'table')
        for (const row of [block.head ?? [], ...block.rows]) for (const cell of row) take(cell)
      else if ('parts' in block) take(block.parts)
    }
  }
  const take = (parts: readonly Run[]): void => {
    for (const part of parts) {
      if (part.kind === 'text') texts.push(part.text)
      else if (part.kind === 'field') texts.push(part.tag.label ?? part.tag.type)
    }
  }
  read(blocks)
  return texts.join('\n')
}
