/** The optional parts of a message. They are stored as received, so each is checked and skipped if malformed. */
import type { Message } from '@chancery/contract/chats/chats.ts'

type Fields = Record<string, unknown>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

export const isPending = (message: Message): boolean => message.role === 'assistant' && message.done === false

export const modelNameOf = (message: Message): string =>
  textOf(message.modelName) ?? textOf(message.model) ?? 'Assistant'

/** A URL that is safe to open: never javascript:, data: or a file. */
export function safeLink(url: unknown): string | undefined {
  const text = textOf(url)
  if (text === undefined || !URL.canParse(text)) return undefined
  return ['http:', 'https:'].includes(new URL(text).protocol) ? text : undefined
}

export interface Passage {
  text: string
  /** Page and heading, where they are known. */
  position: string
}

export interface Source {
  name: string
  url: string | undefined
  /** A file of the instance. */
  fileId: string | undefined
  passages: Passage[]
}

const positionOf = (metadata: unknown): string => {
  if (!isFields(metadata)) return ''
  const page = typeof metadata.page === 'number' ? `Page ${metadata.page}` : undefined
  return [page, textOf(metadata.heading)].filter((part) => part !== undefined).join(' · ')
}

export const sourcesOf = (list: unknown): Source[] =>
  listOf(list)
    .filter(isFields)
    .map((item) => {
      const source = isFields(item.source) ? item.source : {}
      const first = listOf(item.metadata).find(isFields) ?? {}
      return {
        name: textOf(source.name) ?? textOf(first.name) ?? textOf(first.source) ?? textOf(source.id) ?? 'Source',
        url: safeLink(source.url) ?? safeLink(first.url) ?? safeLink(first.source),
        fileId: textOf(first.file_id),
        passages: listOf(item.document).flatMap((text, index) => {
          const words = textOf(text)
          return words === undefined ? [] : [{ text: words, position: positionOf(listOf(item.metadata)[index]) }]
        }),
      }
    })

export interface Attachment {
  id: string | undefined
  /** For a file that a plugin or tool server made: the picture itself, or a web address. */
  url: string | undefined
  name: string
  type: string
  size: number | undefined
}

const pictureType = /^data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]+$/

const pictureIn = (url: unknown): string | undefined =>
  typeof url === 'string' && pictureType.test(url) ? url : undefined

export const filesOf = (message: Message): Attachment[] =>
  listOf(message.files)
    .filter(isFields)
    .map((file) => ({
      id: textOf(file.id),
      url: pictureIn(file.url) ?? safeLink(file.url),
      name: textOf(file.name) ?? textOf(file.filename) ?? textOf(file.id) ?? 'File',
      type: textOf(file.type) ?? 'file',
      size: typeof file.size === 'number' ? file.size : undefined,
    }))

export const embedsOf = (message: Message): string[] => listOf(message.embeds).flatMap((embed) => textOf(embed) ?? [])

export const followUpsOf = (message: Message): string[] =>
  listOf(message.followUps)
    .flatMap((text) => textOf(text) ?? [])
    .slice(0, 4)

export interface Failure {
  content: string
  code: string | undefined
}

export function failureOf(error: unknown): Failure | undefined {
  if (typeof error === 'string') return { content: error, code: undefined }
  if (!isFields(error)) return undefined
  return { content: textOf(error.content) ?? 'The reply failed.', code: textOf(error.code) }
}

export const reasoningOf = (message: Message): string =>
  textOf(message.reasoning) ?? textOf(message.reasoning_content) ?? ''

/** The token usage of the reply, if the provider reported it. */
export function tokensOf({ usage }: Message): number | undefined {
  const total = isFields(usage) ? usage.total_tokens : undefined
  return typeof total === 'number' ? total : undefined
}

export interface Rating {
  isGood: boolean
  reason: string
}

/** The person's own rating of a reply. */
export function ratingOf({ annotation }: Message): Rating | undefined {
  if (!isFields(annotation) || (annotation.rating !== 1 && annotation.rating !== -1)) return undefined
  return { isGood: annotation.rating === 1, reason: textOf(annotation.reason) ?? '' }
}
