/** Which images of a conversation a model gets. */
import type { CompletionBody } from '@chancery/contract/chats/completions.ts'
import { expect, it } from 'vitest'
import { AppError } from '#kernel/errors.ts'
import { resolveImages } from './resolve-images.ts'

type Request = Parameters<typeof resolveImages>[1]

const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
const image = (number: number) => ({
  type: 'image_url',
  image_url: { url: `/api/v1/files/${idOf(number)}/content` },
})
const said = (role: 'user' | 'assistant', ...numbers: number[]) => ({ role, content: numbers.map(image) })
const deleted = idOf(404)

const resolve = async (messages: CompletionBody['messages'], capabilities: string[] = []) => {
  const readImage = async ({ fileId }: { fileId: string }) => {
    if (fileId === deleted) throw new AppError('not_found')
    return `data:${Number(fileId.slice(-3))}`
  }
  const request = { model: { capabilities }, signal: new AbortController().signal } as unknown as Request
  const body = await resolveImages({ readImage }, request, { model: 'm', messages })
  // biome-ignore lint/suspicious/noExplicitAny: parts of either kind
  return body.messages.map(({ content }) => (content as any[]).map((part) => part.image_url?.url ?? part.text))
}

const none = '[An image that isn’t available.]'

it('an image of an earlier message that is gone, or too many, is left out; one of the question is an error', async () => {
  expect(await resolve([said('user', 404, 1), said('assistant'), said('user', 2)])).toEqual([
    [none, 'data:1'],
    [],
    ['data:2'],
  ])
  await expect(resolve([said('user', 1), said('user', 404)])).rejects.toMatchObject({ code: 'not_found' })
  const many = Array.from({ length: 21 }, (_, index) => index + 1)
  expect((await resolve([said('user', ...many), said('user')]))[0]).toEqual([
    none,
    ...many.slice(1).map((number) => `data:${number}`),
  ])
  await expect(resolve([said('user', ...many)])).rejects.toMatchObject({ code: 'too_many_images' })
})

it('a model that cannot see goes on with a conversation that has images, but is shown no new one', async () => {
  expect(await resolve([said('user', 1), said('user')], ['tools'])).toEqual([[none], []])
  await expect(resolve([said('user'), said('user', 1)], ['tools'])).rejects.toMatchObject({ code: 'model_cannot_see' })
})
