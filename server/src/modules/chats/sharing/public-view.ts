/**
 * The parts of a shared chat that a public link shows. Fields are picked one by one, so that a new one is not published
 * by itself. Pure.
 */
import type { Message, PublicMessage, StoredChat } from '@chancery/contract/chats/chats.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { isUuid } from '#kernel/ids.ts'
import type { ShareRow } from '../queries/shares.ts'

/** Null also for a link that the author made in another organization: it is closed. */
export const publicTokenOf = (
  share: Pick<ShareRow, 'publicToken' | 'publicOrganizationId'>,
  actor: Pick<Actor, 'organizationId'>,
): string | null => (share.publicOrganizationId === actor.organizationId ? share.publicToken : null)

type PublicFile = PublicMessage['files'][number]

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

/** Files and images by id. Collections, pages and files of tools are left out: they are not the author's to publish. */
const sharedFilesOf = ({ files }: Message): PublicFile[] => {
  if (!Array.isArray(files)) return []
  return files.flatMap((file: unknown) => {
    if (typeof file !== 'object' || file === null) return []
    const { id, type, name } = file as Record<string, unknown>
    if (typeof id !== 'string' || !isUuid(id) || (type !== 'image' && type !== 'file')) return []
    return [{ id: id.toLowerCase(), type, name: textOf(name) ?? 'File' }]
  })
}

/** Each file once. */
export const sharedFileIdsOf = ({ messages }: Pick<StoredChat, 'messages'>): string[] => [
  ...new Set(messages.flatMap(sharedFilesOf).map(({ id }) => id)),
]

export const publicMessagesOf = ({ messages }: Pick<StoredChat, 'messages'>): PublicMessage[] =>
  messages.flatMap((message) => {
    const { id, role, content, timestamp } = message
    if (role !== 'user' && role !== 'assistant') return []
    const model = role === 'user' ? null : (textOf(message.modelName) ?? textOf(message.model) ?? null)
    return [{ id, role, content, timestamp, model, files: sharedFilesOf(message) }]
  })
