/**
 * Puts values and fields where the placeholders were. The markup was read before: whatever a value says, it is text.
 */
import type { TextTag } from '../interface.ts'
import type { Block, Inline, Style } from './blocks.ts'

/** What lines are made of when every placeholder is known. */
export type Run = { kind: 'text'; text: string; style: Style } | { kind: 'field'; tag: TextTag } | { kind: 'break' }

export interface Filled {
  blocks: Block<Run>[]
  /** Of variables without a value, and of placeholders that are neither a variable nor a tag; each once. */
  missing: string[]
  invalid: string[]
  /** Characters of the text with its values. */
  length: number
}

const tagTypes: Readonly<Record<string, TextTag['type']>> = {
  sig: 'SIGNATURE',
  initials: 'INITIALS',
  date: 'DATE',
  text: 'TEXT',
  checkbox: 'CHECKBOX',
}
const variableName = /^[\p{L}_][\p{L}\p{N}_.-]{0,79}$/u
const needsLabel = new Set<TextTag['type']>(['TEXT', 'CHECKBOX'])
const longestName = 120

/** `{{text:client:Company}}`: a field of a role. */
const readTag = (text: string): TextTag | undefined => {
  const [kind = '', role = '', label, ...rest] = text.split(':').map((part) => part.trim())
  const type = tagTypes[kind.toLowerCase()]
  if (type === undefined || role === '' || role.length > longestName || rest.length > 0) return undefined
  if (label === undefined) return needsLabel.has(type) ? undefined : { type, role, label: null }
  return needsLabel.has(type) && label !== '' && label.length <= 200 ? { type, role, label } : undefined
}

export const fillIn = (blocks: readonly Block[], values: Readonly<Record<string, string>>): Filled => {
  const filling = new Filling(values)
  const filled = filling.blocks(blocks)
  return { blocks: filled, missing: [...filling.missing], invalid: [...filling.invalid], length: filling.length }
}

class Filling {
  readonly missing = new Set<string>()
  readonly invalid = new Set<string>()
  length = 0
  readonly #values: Readonly<Record<string, string>>

  constructor(values: Readonly<Record<string, string>>) {
    this.#values = values
  }

  blocks(blocks: readonly Block[]): Block<Run>[] {
    return blocks.map((block) => this.#block(block))
  }

  #block(block: Block): Block<Run> {
    if (block.kind === 'list') return { ...block, items: block.items.map((item) => this.blocks(item)) }
    if (block.kind === 'quote') return { ...block, blocks: this.blocks(block.blocks) }
    if (block.kind === 'table') {
      const row = (cells: readonly Inline[][]) => cells.map((cell) => this.#parts(cell))
      return { ...block, head: block.head && row(block.head), rows: block.rows.map(row) }
    }
    return 'parts' in block ? { ...block, parts: this.#parts(block.parts) } : block
  }

  #parts(parts: readonly Inline[]): Run[] {
    return parts.flatMap((part) => {
      if (part.kind === 'break') return [part]
      if (part.kind === 'placeholder') return this.#placeholder(part.text, part.style)
      this.length += part.text.length
      return [{ kind: 'text' as const, text: part.text, style: part.style }]
    })
  }

  #placeholder(text: string, style: Style): Run[] {
    const tag = readTag(text)
    if (tag) return [{ kind: 'field', tag }]
    if (!variableName.test(text)) this.invalid.add(text)
    else if (!Object.hasOwn(this.#values, text)) this.missing.add(text)
    else return this.#value(this.#values[text] ?? '', style)
    return []
  }

  #value(value: string, style: Style): Run[] {
    this.length += value.length
    if (this.length > mostFilled) return []
    return value
      .split(/\r\n|[\r\n]/)
      .flatMap((line, index) => [
        ...(index > 0 ? [{ kind: 'break' as const }] : []),
        ...(line === '' ? [] : [{ kind: 'text' as const, text: line, style }]),
      ])
  }
}

/** Characters of a text with its values; a longer one isn't drawn. */
export const mostFilled = 400_000
