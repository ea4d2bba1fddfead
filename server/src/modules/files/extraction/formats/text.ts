/** Plain text, Markdown, source code, JSON and tables in text. */
import { type Emit, emitTable, HeadingPath } from '../blocks.ts'

/** Paragraphs, or stretches of code between empty lines. */
export const emitText = async (text: string, emit: Emit): Promise<void> => {
  for (const paragraph of text.split(/\n[ \t\r]*\n/)) await emit({ text: paragraph })
}

export const emitMarkdown = async (text: string, emit: Emit): Promise<void> => {
  const headings = new HeadingPath()
  let paragraph: string[] = []
  let fence = ''
  const flush = async () => {
    await emit({ text: paragraph.join('\n'), heading: String(headings) })
    paragraph = []
  }
  for (const line of text.replace(/^---\n[\s\S]{0,5000}?\n---\n/, '').split(/\r?\n/)) {
    const mark = /^ {0,3}(```+|~~~+)/.exec(line)?.[1]
    if (mark && (fence === '' || mark.startsWith(fence))) fence = fence === '' ? mark : ''
    const heading = fence === '' ? /^ {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*$/.exec(line) : null
    if (heading) {
      await flush()
      headings.enter(heading[1]?.length ?? 1, heading[2] ?? '')
    }
    if (line.trim() === '' && fence === '') await flush()
    else paragraph.push(line)
  }
  await flush()
}

/** Indented, so that long documents have lines to be cut at. */
export const emitJson = async (text: string, emit: Emit): Promise<void> => {
  const value: unknown = JSON.parse(text)
  if (!Array.isArray(value)) return emit({ text: JSON.stringify(value, null, 1) })
  for (const item of value) await emit({ text: JSON.stringify(item, null, 1) })
}

export const emitCsv = async (text: string, emit: Emit): Promise<void> => {
  const [firstLine = ''] = text.split('\n', 1)
  const separator =
    [';', '\t', '|', ','].toSorted((one, other) => countOf(firstLine, other) - countOf(firstLine, one))[0] ?? ','
  await emitTable(emit, parseCsv(text, separator), {})
}

const countOf = (text: string, part: string): number => text.split(part).length

const parseCsv = (text: string, separator: string): string[][] => {
  const rows: string[][] = [[]]
  let cell = ''
  let isQuoted = false
  const endCell = () => {
    rows.at(-1)?.push(cell)
    cell = ''
  }
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (isQuoted) {
      if (character !== '"') cell += character
      else if (text[at + 1] === '"') {
        cell += '"'
        at += 1
      } else isQuoted = false
    } else if (character === '"' && cell === '') isQuoted = true
    else if (character === separator) endCell()
    else if (character === '\n') {
      endCell()
      rows.push([])
    } else if (character !== '\r') cell += character
  }
  endCell()
  return rows
}
