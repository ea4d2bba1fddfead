/** A text that a document is made of, after its markup was read: what Markdown and HTML have in common. */

export interface Style {
  isBold: boolean
  isItalic: boolean
  isMono: boolean
}

/** What stands in a line. A placeholder is what was between `{{` and `}}`. */
export type Inline =
  | { kind: 'text'; text: string; style: Style }
  | { kind: 'placeholder'; text: string; style: Style }
  | { kind: 'break' }

/** `Part` is what lines are made of: `Inline` as it was read, `Run` when the placeholders are filled in. */
export type Block<Part = Inline> =
  | { kind: 'heading'; level: number; parts: Part[] }
  | { kind: 'paragraph' | 'code'; parts: Part[] }
  | { kind: 'list'; start: number | null; items: Block<Part>[][] }
  | { kind: 'quote'; blocks: Block<Part>[] }
  | { kind: 'table'; head: Part[][] | null; rows: Part[][][] }
  | { kind: 'rule' | 'pageBreak' }

/** Lists and quotes inside one another. What is deeper stays as text. */
export const mostNested = 4
/** Of a table; a wider one stays as text. */
export const mostColumns = 12

export const plain: Style = { isBold: false, isItalic: false, isMono: false }
export const mono: Style = { ...plain, isMono: true }

/** A name or a tag in the text, or in what is left of it. Its cost doesn't grow with what follows. */
const placeholder = /\{\{([^{}\n]{1,300})\}\}/y

export const placeholderAt = (text: string, at: number): { text: string; end: number } | undefined => {
  placeholder.lastIndex = at
  const found = placeholder.exec(text)?.[1]
  return found === undefined ? undefined : { text: found.trim(), end: placeholder.lastIndex }
}

/** Text without other markup, such as code. */
export const inlineOf = (text: string, style: Style): Inline[] => {
  const parts: Inline[] = []
  let from = 0
  const putText = (end: number): void => {
    for (const [index, line] of text.slice(from, end).split('\n').entries()) {
      if (index > 0) parts.push({ kind: 'break' })
      if (line !== '') parts.push({ kind: 'text', text: line, style })
    }
  }
  for (let at = text.indexOf('{{'); at >= 0; at = text.indexOf('{{', at)) {
    const found = placeholderAt(text, at)
    if (found) {
      putText(at)
      parts.push({ kind: 'placeholder', text: found.text, style })
      from = found.end
    }
    at = found?.end ?? at + 1
  }
  putText(text.length)
  return parts
}
