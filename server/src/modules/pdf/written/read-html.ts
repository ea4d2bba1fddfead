/**
 * HTML by a list of elements: what a contract is written with is read, what would be lost unseen (pictures, forms,
 * scripts, frames) is refused by name, and of everything else the text is kept. Styles and classes count for nothing,
 * except a page break.
 */
import { Parser } from 'htmlparser2'
import { type Block, type Inline, inlineOf, mostColumns, mostNested, type Style } from './blocks.ts'

export interface ReadHtml {
  blocks: Block[]
  /** Names of elements that can't be in a document. */
  refused: string[]
}

const refusedElements = new Set(
  'script iframe frame frameset object embed applet img picture svg math canvas video audio map form input select textarea button dialog template noscript'.split(
    ' ',
  ),
)
/** Read, and without a trace on the page. */
const silentElements = new Set(['head', 'title', 'style', 'meta', 'link', 'base'])
const bold = new Set(['b', 'strong', 'th'])
const italic = new Set(['i', 'em', 'cite', 'dfn', 'var'])
const monospace = new Set(['code', 'kbd', 'samp', 'tt', 'pre'])
const inline = new Set('span a u s sub sup small mark label abbr q del ins time wbr font bdi bdo'.split(' '))
const breakBefore = /(?:^|[;\s])(?:page-)?break-before\s{0,9}:\s{0,9}(?:always|page)/i
const breakAfter = /(?:^|[;\s])(?:page-)?break-after\s{0,9}:\s{0,9}(?:always|page)/i

export const readHtml = (text: string): ReadHtml => {
  const reader = new HtmlReader()
  const parser = new Parser(
    {
      onopentag: (name, attributes) => reader.open(name, attributes),
      onclosetag: (name) => reader.close(name),
      ontext: (piece) => reader.text(piece),
    },
    { decodeEntities: true },
  )
  parser.end(text)
  return reader.end()
}

type Table = Extract<Block, { kind: 'table' }>
type List = Extract<Block, { kind: 'list' }>

/** An open element that holds blocks. */
interface Holder {
  name: string
  blocks: Block[]
  list?: List
  table?: Table
  cell?: Inline[]
}

interface OpenElement {
  name: string
  holder: Holder | undefined
  breaksAfter: boolean
}

class HtmlReader {
  readonly #refused = new Set<string>()
  readonly #root: Holder = { name: '', blocks: [] }
  readonly #elements: OpenElement[] = []
  readonly #holders: Holder[] = [this.#root]
  #raw: { text: string; style: Style }[] = []
  #counts = { bold: 0, italic: 0, mono: 0, silent: 0, pre: 0, nested: 0 }
  #heading = 0

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (refusedElements.has(name)) this.#refused.add(name)
    this.#count(name, 1)
    const style = (attributes.style ?? '').slice(0, 1000)
    if (breakBefore.test(style)) this.#pageBreak()
    if (name === 'br') this.#raw.push({ text: '\n', style: this.#style() })
    else if (name === 'hr') this.#put({ kind: 'rule' })
    const holder = this.#openBlock(name, attributes)
    this.#elements.push({ name, holder, breaksAfter: breakAfter.test(style) })
  }

  close(name: string): void {
    const element = this.#elements.pop()
    if (!isInline(name)) this.#flush()
    if (/^h[1-6]$/.test(name)) this.#heading = 0
    if (element?.holder) this.#release(element.holder)
    if (element?.breaksAfter) this.#pageBreak()
    this.#count(name, -1)
  }

  #release(holder: Holder): void {
    this.#holders.pop()
    const { name, list, table, cell, blocks } = holder
    if (list || name === 'blockquote') this.#counts.nested -= 1
    if (table?.head) table.rows.shift()
    if (cell) for (const part of linesOf(blocks)) cell.push(part)
  }

  text(text: string): void {
    if (this.#counts.silent > 0) return
    // White space runs on, except where it is kept.
    const shown = this.#counts.pre > 0 ? text.replace(/\r\n?/g, '\n') : text.replace(/[ \t\r\n\f]+/g, ' ')
    this.#raw.push({ text: shown, style: this.#style() })
  }

  end(): ReadHtml {
    this.#flush()
    return { blocks: this.#root.blocks, refused: [...this.#refused] }
  }

  #count(name: string, by: number): void {
    if (bold.has(name)) this.#counts.bold += by
    if (italic.has(name)) this.#counts.italic += by
    if (monospace.has(name)) this.#counts.mono += by
    if (silentElements.has(name)) this.#counts.silent += by
    if (name === 'pre') this.#counts.pre += by
  }

  #style(): Style {
    const { bold: b, italic: i, mono: m } = this.#counts
    return { isBold: b > 0, isItalic: i > 0, isMono: m > 0 }
  }

  get #holder(): Holder {
    return this.#holders.at(-1) ?? this.#root
  }

  #hold(holder: Holder): Holder {
    this.#holders.push(holder)
    return holder
  }

  #openBlock(name: string, attributes: Readonly<Record<string, string>>): Holder | undefined {
    if (isInline(name)) return undefined
    this.#flush()
    if (/^h[1-6]$/.test(name)) this.#heading = Number(name.charAt(1))
    if (name === 'ul' || name === 'ol') return this.#openList(name, attributes)
    if (name === 'li') return this.#openItem()
    if (name === 'blockquote') return this.#openQuote()
    if (name === 'table') return this.#openTable()
    if (name === 'tr') this.#openRow()
    if (name === 'td' || name === 'th') return this.#openCell(name)
    return undefined
  }

  #openList(name: string, { start = '1' }: Readonly<Record<string, string>>): Holder | undefined {
    if (this.#counts.nested >= mostNested) return undefined
    this.#counts.nested += 1
    const first = /^\d{1,9}$/.test(start) ? Number(start) : 1
    const list: List = { kind: 'list', start: name === 'ol' ? first : null, items: [] }
    this.#holder.blocks.push(list)
    // Text between items stays as text after the list.
    return this.#hold({ name, blocks: this.#holder.blocks, list })
  }

  #openItem(): Holder | undefined {
    const { list } = this.#holder
    if (!list) return undefined
    const blocks: Block[] = []
    list.items.push(blocks)
    return this.#hold({ name: 'li', blocks })
  }

  #openQuote(): Holder | undefined {
    if (this.#counts.nested >= mostNested) return undefined
    this.#counts.nested += 1
    const blocks: Block[] = []
    this.#holder.blocks.push({ kind: 'quote', blocks })
    return this.#hold({ name: 'blockquote', blocks })
  }

  /** A table in a table is text. */
  #openTable(): Holder | undefined {
    if (this.#holders.some(({ table }) => table)) return undefined
    const table: Table = { kind: 'table', head: null, rows: [] }
    this.#holder.blocks.push(table)
    return this.#hold({ name: 'table', blocks: this.#holder.blocks, table })
  }

  #openRow(): void {
    this.#holder.table?.rows.push([])
  }

  #openCell(name: string): Holder | undefined {
    const { table } = this.#holder
    const row = table?.rows.at(-1)
    if (!table || !row || row.length >= mostColumns) return undefined
    const cell: Inline[] = []
    row.push(cell)
    if (name === 'th' && table.rows.length === 1) table.head = row
    return this.#hold({ name, blocks: [], cell })
  }

  #pageBreak(): void {
    this.#put({ kind: 'pageBreak' })
  }

  #put(block: Block): void {
    this.#flush()
    this.#holder.blocks.push(block)
  }

  /** What was read since the last block is a paragraph, or the heading that is open. */
  #flush(): void {
    const raw = this.#raw
    if (raw.length === 0) return
    this.#raw = []
    const parts = this.#counts.pre > 0 ? placed(raw) : placed(trimmed(raw))
    if (parts.length === 0) return
    const level = this.#heading
    if (level > 0) this.#holder.blocks.push({ kind: 'heading', level, parts })
    else this.#holder.blocks.push({ kind: this.#counts.pre > 0 ? 'code' : 'paragraph', parts })
  }
}

/** The paragraphs of a cell, one after the other. */
const linesOf = (blocks: readonly Block[]): Inline[] =>
  blocks.flatMap((block, index) => {
    if (!('parts' in block)) return []
    return index > 0 ? [{ kind: 'break' as const }, ...block.parts] : block.parts
  })

const isInline = (name: string): boolean =>
  inline.has(name) ||
  name === 'br' ||
  (name !== 'th' && bold.has(name)) ||
  italic.has(name) ||
  (name !== 'pre' && monospace.has(name))

type Raw = { text: string; style: Style }

/** Without white space at the ends, and never two spaces in a row. */
const trimmed = (raw: readonly Raw[]): Raw[] => {
  let isAfterSpace = true
  const kept = raw.map(({ text, style }) => {
    const shown = isAfterSpace ? text.replace(/^ +/, '') : text
    if (shown !== '') isAfterSpace = / $|\n$/.test(shown)
    return { text: shown, style }
  })
  for (let last = kept.at(-1); last; last = kept.at(-1)) {
    last.text = last.text.replace(/[ \n]+$/, '')
    if (last.text !== '') break
    kept.pop()
  }
  return kept
}

const isSame = (one: Style, other: Style): boolean =>
  one.isBold === other.isBold && one.isItalic === other.isItalic && one.isMono === other.isMono

/** The parser tells text in pieces: those of one style are one text, so that a placeholder in it is whole. */
const placed = (raw: readonly Raw[]): Inline[] => {
  const pieces: { texts: string[]; style: Style }[] = []
  for (const { text, style } of raw) {
    const last = pieces.at(-1)
    if (last && isSame(last.style, style)) last.texts.push(text)
    else pieces.push({ texts: [text], style })
  }
  return pieces.flatMap(({ texts, style }) => inlineOf(texts.join(''), style))
}
