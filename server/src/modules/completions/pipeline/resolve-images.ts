/**
 * Images that are files of the instance. A message names one by its address, so that chats hold no bytes; the model gets
 * the picture itself. Images by data or foreign URL are left to the provider. What is wrong with an image of an earlier
 * message never stops the conversation: the model is told that there was one.
 */
import type { ChatMessage, CompletionBody } from '@chancery/contract/chats/completions.ts'
import { AppError } from '#kernel/errors.ts'
import type { CompletionsContext } from '../context.ts'
import type { PipelineRequest } from './request.ts'

type Part = Extract<ChatMessage['content'], unknown[]>[number]

const address = /^\/api\/v1\/files\/([0-9a-f-]{36})\/content$/
const maxImages = 20
const leftOut: Part = { type: 'text', text: '[An image that isn’t available.]' }

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
  { readImage }: Pick<CompletionsContext, 'readImage'>,
  { actor, model, signal }: Pick<PipelineRequest, 'actor' | 'model' | 'signal'>,
  body: CompletionBody,
): Promise<CompletionBody> => {
  const newestFirst = new Set(ownImagesIn(body.messages).reverse())
  if (newestFirst.size === 0) return body
  const question = body.messages.findLastIndex(({ role }) => role === 'user')
  const asked = new Set(ownImagesIn(body.messages.slice(question)))
  // A model without a list of capabilities may see; the provider knows.
  const canSee = model.capabilities.length === 0 || model.capabilities.includes('vision')
  if (!canSee && asked.size > 0) throw new AppError('model_cannot_see')
  if (asked.size > maxImages) throw new AppError('too_many_images')
  const urls = new Map<string, string>()
  for (const fileId of canSee ? [...newestFirst].slice(0, maxImages) : []) {
    const url = await readImage({ actor, fileId, signal }).catch((problem: unknown) => {
      if (asked.has(fileId) || !(problem instanceof AppError) || problem.code === 'not_ready') throw problem
    })
    if (url !== undefined) urls.set(fileId, url)
  }
  const withImage = (part: Part): Part => {
    const fileId = fileIdOf(part)
    if (fileId === undefined) return part
    const url = urls.get(fileId)
    return url === undefined ? leftOut : { type: 'image_url', image_url: { url } }
  }
  const messages = body.messages.map((message) =>
    Array.isArray(message.content) ? { ...message, content: message.content.map(withImage) } : message,
  )
  return { ...body, messages }
}
