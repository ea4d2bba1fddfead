/** Text, images, documents and search results as content parts of the chat-completion API. */
import type {
  DocumentBlock,
  ImageBlock,
  SearchResultBlock,
  TextBlock,
  ToolReferenceBlock,
} from '@chancery/contract/chats/messages-format.ts'

export type ContentBlock = TextBlock | ImageBlock | DocumentBlock | SearchResultBlock | ToolReferenceBlock

export type Part =
  | { type: 'text'; text: string }
  | { type: 'image_url'; image_url: { url: string } }
  | { type: 'file'; file: { filename: string; file_data: string } }

export const partsOf = (block: ContentBlock): Part[] => {
  switch (block.type) {
    case 'text':
      return [textPart(block.text)]
    case 'image':
      return [imagePart(block)]
    case 'document':
      return documentParts(block)
    case 'tool_reference':
      return [textPart(`Found the tool ${block.tool_name}.`)]
    case 'search_result':
      return [textPart([`${block.title} (${block.source})`, ...block.content.map(({ text }) => text)].join('\n'))]
  }
}

/** A plain string if there is only text: many runtimes read no parts, and strings are easier for filters. */
export const contentOf = (parts: readonly Part[]): string | Part[] =>
  parts.every((part) => part.type === 'text') ? parts.map(({ text }) => text).join('\n') : [...parts]

export const textPart = (text: string): Part => ({ type: 'text', text })

const imagePart = ({ source }: ImageBlock): Part => ({
  type: 'image_url',
  image_url: { url: source.type === 'url' ? source.url : dataUrl(source) },
})

const documentParts = (block: DocumentBlock): Part[] => {
  const { source } = block
  const head = [block.title, block.context].filter(Boolean).join('\n')
  if (source.type === 'text') return [textPart(head ? `${head}\n${source.data}` : source.data)]
  const named = head ? [textPart(head)] : []
  if (source.type === 'base64')
    return [...named, { type: 'file', file: { filename: block.title ?? 'document', file_data: dataUrl(source) } }]
  if (typeof source.content === 'string') return [...named, textPart(source.content)]
  return [...named, ...source.content.flatMap(partsOf)]
}

const dataUrl = ({ media_type, data }: { media_type: string; data: string }) => `data:${media_type};base64,${data}`
