/**
 * Images that are files of the instance. A message names one by its address, so that chats hold no bytes; the model gets
 * the picture itself. Images by data or foreign URL are left to the provider.
 */
import type { ChatMessage, CompletionBody } from '@chancery/contract/completions.ts'
import { AppError } from '#kernel/errors.ts'
import type { CompletionsContext } from '../context.ts'
import type { PipelineRequest } from './request.ts'

type Part = Extract<ChatMessage['content'], unknown[]>[number]

const address = /^\/api\/v1\/files\/([0-9a-f-]{36})\/content$/
const maxImages = 20

const fileIdOf = (part: Part): string | undefined => {
  if (part.type !== 'image_url') return undefined
  const { image_url: image } = part
  const url = typeof image === 'object' && image !== null && 'url' in image ? image.url : image
  return typeof url === 'string' ? address.exec(url)?.[1] : undefined
}

const partsOf = ({ content }: ChatMessage): Part[] => (Array.isArray(content) ? content : [])

const ownImagesIn = (messages: readonly ChatMessage[]): string[] =>
  messages.flatMap((message) => partsOf(message).flatMap((part) => fileIdOf(part) ?? []))

export const hasOwnImages = ({ messages }: CompletionBody): boolean => ownImagesIn(messages).length > 0

export const resolveImages = async (
  { imageReader }: Pick<CompletionsContext, 'imageReader'>,
  { actor, model, signal }: Pick<PipelineRequest, 'actor' | 'model' | 'signal'>,
  body: CompletionBody,
): Promise<CompletionBody> => {
  const ids = new Set(ownImagesIn(body.messages))
  if (ids.size === 0 || !imageReader) return body
  // A model without a list of capabilities may see; the provider knows.
  if (model.capabilities.length > 0 && !model.capabilities.includes('vision')) throw new AppError('model_cannot_see')
  if (ids.size > maxImages) throw new AppError('too_many_images')
  const urls = new Map<string, string>()
  for (const fileId of ids) urls.set(fileId, await imageReader({ actor, fileId, signal }))
  const withImage = (part: Part): Part => {
    const fileId = fileIdOf(part)
    return fileId === undefined ? part : { type: 'image_url', image_url: { url: urls.get(fileId) } }
  }
  const messages = body.messages.map((message) =>
    Array.isArray(message.content) ? { ...message, content: message.content.map(withImage) } : message,
  )
  return { ...body, messages }
}
