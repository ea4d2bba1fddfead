/** HTML as blocks: headings, paragraphs, lists and tables. Scripts, styles and hidden parts are left out. */
import { Parser } from 'htmlparser2'
import { type Block, type Emit, emitTable, HeadingPath } from '../blocks.ts'
import { ExtractionFailure } from '../failure.ts'

const skipped = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'svg',
  'math',
  'iframe',
  'object',
  'canvas',
  'select',
  'button',
  'nav',
  'dialog',
])
const breaking = new Set([
  'p',
  'div',
  'section',
  'article',
  'main',
  'header',
  'footer',
  'aside',
  'ul',
  'ol',
  'li',
  'dl',
  'dt',
  'dd',
  'blockquote',
  'figure',
  'figcaption',
  'form',
  'fieldset',
  'address',
  'hr',
  'pre',
  'details',
  'summary',
  'body',
  'caption',
])
const maxDepth = 1000

export interface HtmlFacts {
  title: string
  links?: string[]
}

interface Table {
  rows: string[][]
}

/** Collects first and emits afterwards: the parser calls back without waiting. */
class HtmlReader {
  readonly blocks: (Block | { table: string[][]; heading: string })[] = []
  title = ''
  readonly #headings = new HeadingPath()
  readonly #tables: Table[] = []
  #text = ''
  #skipDepth = 0
  #preDepth = 0
  #headingLevel = 0
  #isInTitle = false
  #depth = 0

  open(name: string, attributes: Record<string, string>): void {
    this.#depth += 1
    if (this.#depth > maxDepth) throw new ExtractionFailure('broken')
    if (this.#skipDepth > 0 || skipped.has(name) || 'hidden' in attributes) {
      this.#skipDepth += 1
      return
    }
    if (name === 'title') this.#isInTitle = true
    else if (name === 'br') this.#text += '\n'
    else if (name === 'img') this.#text += attributes.alt ? ` ${attributes.alt} ` : ''
    else if (name === 'table') this.#openTable()
    else if (name === 'tr') this.#tables.at(-1)?.rows.push([])
    else if (name === 'td' || name === 'th') this.#text = ''
    else if (/^h[1-6]$/.test(name)) this.#openHeading(Number(name[1]))
    else if (breaking.has(name)) this.#openBlock(name)
  }

  close(name: string): void {
    this.#depth -= 1
    if (this.#skipDepth > 0) {
      this.#skipDepth -= 1
      return
    }
    if (name === 'title') this.#isInTitle = false
    else if (name === 'table') this.#closeTable()
    else if (name === 'td' || name === 'th') this.#closeCell()
    else if (/^h[1-6]$/.test(name)) this.#closeHeading()
    else if (breaking.has(name)) {
      this.#flush()
      if (name === 'pre') this.#preDepth -= 1
    }
  }

  text(piece: string): void {
    if (this.#skipDepth > 0) return
    if (this.#isInTitle) this.title += piece
    else this.#text += this.#preDepth > 0 ? piece : piece.replace(/\s+/g, ' ')
  }

  end(): void {
    while (this.#tables.length > 0) this.#closeTable()
    this.#flush()
  }

  #openBlock(name: string): void {
    this.#flush()
    if (name === 'pre') this.#preDepth += 1
    if (name === 'li') this.#text = '- '
  }

  #openHeading(level: number): void {
    this.#flush()
    this.#headingLevel = level
  }

  #closeHeading(): void {
    this.#headings.enter(this.#headingLevel, this.#text)
    this.#headingLevel = 0
    this.#flush()
  }

  #openTable(): void {
    this.#flush()
    this.#tables.push({ rows: [] })
  }

  #closeCell(): void {
    this.#tables.at(-1)?.rows.at(-1)?.push(this.#text)
    this.#text = ''
  }

  /** The text of a table inside a cell becomes part of nothing else than its own block. */
  #closeTable(): void {
    const table = this.#tables.pop()
    if (table) this.blocks.push({ table: table.rows, heading: String(this.#headings) })
    this.#text = ''
  }

  #flush(): void {
    // Inside a table, blocks are part of their cell.
    if (this.#tables.length > 0) {
      this.#text += ' '
      return
    }
    const text = this.#preDepth > 0 ? this.#text : this.#text.replace(/ *\n */g, '\n').trim()
    if (text !== '' && text !== '-') this.blocks.push({ text, heading: String(this.#headings) })
    this.#text = ''
  }
}

export const emitHtml = async (html: string, emit: Emit, under: { page?: number } = {}): Promise<HtmlFacts> => {
  const reader = new HtmlReader()
  const parser = new Parser({
    onopentag: (name, attributes) => reader.open(name, attributes),
    onclosetag: (name) => reader.close(name),
    ontext: (text) => reader.text(text),
  })
  parser.write(html)
  parser.end()
  reader.end()
  for (const block of reader.blocks)
    if ('table' in block) await emitTable(emit, block.table, { heading: block.heading, ...under })
    else await emit({ ...block, ...under })
  return { title: reader.title.replace(/\s+/g, ' ').trim() }
}

/** The charset that the document states in its first bytes. */
export const declaredCharset = (bytes: Uint8Array): string | undefined =>
  /<meta[^>]{1,200}charset\s*=\s*["']?([\w-]{2,40})/i.exec(Buffer.from(bytes.subarray(0, 2048)).toString('latin1'))?.[1]
