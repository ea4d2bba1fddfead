/**
 * The headers of a request to a tool server: its key, the administrator's own headers with placeholders filled in, and who
 * asks, where forwarding is switched on. The caller's own key or session is never among them.
 */
import type { Actor } from '#kernel/http/actor.ts'
import type { ToolServerRecord } from '../catalog.ts'
import type { ToolServersConfig } from '../config.ts'
import type { Headers } from './server-headers.ts'

export interface Asking {
  actor: Actor
  chatId: string | null
  messageId: string | null
}

/** Visible ASCII stays; everything else is percent-encoded, so that no value can end its header. */
export const encodedHeader = (value: string): string =>
  value.toWellFormed().replace(/[^\x20-\x7e]|%/gu, (letter) => encodeURIComponent(letter))

const valuesOf = ({ actor, chatId, messageId }: Asking): ReadonlyMap<string, string> =>
  new Map([
    ['{{USER_ID}}', actor.id],
    ['{{USER_NAME}}', actor.name],
    ['{{USER_EMAIL}}', actor.email],
    ['{{USER_ROLE}}', actor.role],
    ['{{CHAT_ID}}', chatId ?? ''],
    ['{{MESSAGE_ID}}', messageId ?? ''],
  ])

const fillIn = (template: string, values: ReadonlyMap<string, string>): string =>
  template.replace(/\{\{[A-Z_]{1,40}\}\}/g, (name) => {
    const value = values.get(name)
    return value === undefined ? name : encodedHeader(value)
  })

const forwarded = (config: ToolServersConfig, { actor, chatId, messageId }: Asking): [string, string][] => {
  if (!config.ENABLE_FORWARD_USER_INFO_HEADERS) return []
  const all: [string, string | null][] = [
    [config.FORWARD_USER_INFO_HEADER_USER_NAME, actor.name],
    [config.FORWARD_USER_INFO_HEADER_USER_ID, actor.id],
    [config.FORWARD_USER_INFO_HEADER_USER_EMAIL, actor.email],
    [config.FORWARD_USER_INFO_HEADER_USER_ROLE, actor.role],
    [config.FORWARD_SESSION_INFO_HEADER_CHAT_ID, chatId],
    [config.FORWARD_SESSION_INFO_HEADER_MESSAGE_ID, messageId],
  ]
  return all.flatMap(([name, value]) => (value === null ? [] : [[name, encodedHeader(value)] as [string, string]]))
}

interface Server extends Pick<ToolServerRecord, 'authType'> {
  key: string | null
  headers: Headers
}

export const headersFor = (
  config: ToolServersConfig,
  { headers, authType, key }: Server,
  asking: Asking,
): Record<string, string> => {
  const values = valuesOf(asking)
  const own = Object.entries(headers).map(([name, template]): [string, string] => [name, fillIn(template, values)])
  const login: [string, string][] = authType !== 'none' && key !== null ? [['authorization', `Bearer ${key}`]] : []
  return Object.fromEntries(
    [...forwarded(config, asking), ...own, ...login].map(([name, value]) => [name.toLowerCase(), value]),
  )
}
