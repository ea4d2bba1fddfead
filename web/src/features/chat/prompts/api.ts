/** Prompts and resources of MCP servers, for the composer. */
import * as endpoints from '@chancery/contract/endpoints/tool-servers.ts'
import type { ServerPrompts, ServerResources } from '@chancery/contract/plugins/tool-servers.ts'
import { queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { call } from '#lib/http/call.ts'

export type OfferedPrompt = z.infer<typeof ServerPrompts>['items'][number]
export type OfferedResource = z.infer<typeof ServerResources>['items'][number]
const staleTime = 60_000

export const serverPromptsQuery = queryOptions({
  queryKey: ['tools', 'prompts'],
  queryFn: async () => (await call(endpoints.listServerPrompts)).items,
  staleTime,
})

export const serverResourcesQuery = queryOptions({
  queryKey: ['tools', 'resources'],
  queryFn: async () => (await call(endpoints.listResources)).items,
  staleTime,
})

export const fillPrompt = async ({ server_id, name }: OfferedPrompt, args: Readonly<Record<string, string>>) =>
  (await call(endpoints.readServerPrompt, { params: { server: server_id }, body: { name, arguments: args } })).content

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (letter) => letter.codePointAt(0) ?? 0)

/** As files, to be attached like any other. */
export async function readResource({ server_id, uri, name }: OfferedResource): Promise<File[]> {
  const { items } = await call(endpoints.readResource, { params: { server: server_id }, body: { uri } })
  return items.map(({ content, encoding, mime_type }) => {
    const isText = encoding === 'text'
    const type = mime_type ?? (isText ? 'text/plain' : 'application/octet-stream')
    const ending = isText ? 'txt' : type.replace(/^.*\/|[^a-z0-9].*$/g, '')
    const fileName = /\.\w{1,8}$/.test(name) ? name : `${name}.${ending}`
    return new File([isText ? content : bytesOf(content)], fileName, { type })
  })
}
