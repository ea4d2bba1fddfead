/** Replaces the list of tool servers. Secrets stay with their server unless others are given or the server is another one. */
import type { ToolServerBody } from '@chancery/contract/plugins/tool-servers.ts'
import type { z } from 'zod'
import type { Origin } from '#kernel/audit/audit.ts'
import { storedSeal } from '#kernel/crypto/seal-context.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { serverResource } from '../catalog.ts'
import type { ToolServersContext } from '../context.ts'
import { deleteStrayTokensUnscoped } from '../queries/server-sign-ins.ts'
import { listToolServersUnscoped, replaceToolServersUnscoped, type ToolServerRow } from '../queries/tool-servers.ts'
import { type Headers, mergeHeaders, openHeaders, sealHeaders } from '../remote/server-headers.ts'

export type ServerFields = z.output<typeof ToolServerBody>

const sealedAs = storedSeal({ purpose: 'tool-server', table: 'tool_servers', columns: ['sealed_key'], by: ['id'] })

/** The server with its secrets, for a request to it. */
export const openServer = <Server extends ToolServerRow>(
  { kernel }: Pick<ToolServersContext, 'kernel'>,
  server: Server,
): Server & { key: string | null; headers: Headers } => {
  const { id, sealedKey } = server
  const key = sealedKey === null ? null : kernel.sealer.open(sealedKey, sealedAs(id))
  return { ...server, key, headers: openHeaders(kernel, server) }
}

export const saveServers = async (
  context: ToolServersContext,
  actor: Actor,
  { items, from }: { items: readonly ServerFields[]; from: Origin },
): Promise<void> => {
  const { catalog, kernel, organizations } = context
  const ids = items.map(({ id }) => id)
  if (new Set(ids).size < ids.length) throw new AppError('tool_server_exists')
  for (const item of items) requireKnownAuth(item)
  await catalog.change(async (tx) => {
    const known = new Map((await listToolServersUnscoped(tx)).map((row) => [row.id, row]))
    await replaceToolServersUnscoped(
      tx,
      items.map((item, position) => rowOf(context, { item, position, known: known.get(item.id) })),
    )
    await deleteStrayTokensUnscoped(tx)
    for (const id of known.keys())
      if (!ids.includes(id)) await organizations.grants.deleteUnscoped(tx, { type: serverResource, id })
    for (const { id, access_grants: grants } of items)
      await organizations.grants.replace(tx, actor, { resource: { type: serverResource, id }, grants: grants ?? [] })
    const detail = { name: namesOf(items), servers: items.map(({ id, url }) => ({ id, url })) }
    await kernel.audit.record(tx, {
      action: 'tool_servers.save',
      by: actor,
      from,
      target: { kind: 'tool_servers', id: 'all' },
      detail,
    })
  })
}

const named = 5

/** The list's name in the audit log: the first few of it, and how many more there are. */
const namesOf = (items: readonly ServerFields[]): string => {
  const names = items.slice(0, named).map(({ id, name }) => name ?? id)
  if (items.length > named) names.push(`${items.length - named} more`)
  return names.length === 0 ? 'none' : new Intl.ListFormat('en').format(names)
}

/** Signing in is part of MCP; an OpenAPI description says nothing about how. */
export const requireKnownAuth = ({ type, auth_type }: ServerFields): void => {
  if (type !== 'openapi' || auth_type !== 'oauth_2.1') return
  const problem = { loc: ['body', 'auth_type'], msg: 'is for MCP servers only', type: 'custom' }
  throw new AppError('validation_failed', { problems: [problem] })
}

interface Making {
  item: ServerFields
  position: number
  known: ToolServerRow | undefined
}

export const rowOf = (
  { kernel }: Pick<ToolServersContext, 'kernel'>,
  { item, position, known }: Making,
): ToolServerRow => {
  const { key } = item
  // Pointed elsewhere, it would send its secrets to another server.
  const same = known && new URL(known.url).origin === new URL(item.url).origin ? known : undefined
  const headers = mergeHeaders(item.headers, same ? openHeaders(kernel, same) : {})
  return {
    id: item.id,
    type: item.type,
    name: item.name ?? item.id,
    url: item.url,
    path: item.path ?? 'openapi.json',
    authType: item.auth_type ?? 'none',
    sealedKey:
      key === undefined ? (same?.sealedKey ?? null) : key === null ? null : kernel.sealer.seal(key, sealedAs(item.id)),
    sealedHeaders: sealHeaders(kernel, item.id, headers),
    enabled: item.enabled ?? true,
    needsApproval: item.needs_approval ?? false,
    approvalExempt: item.approval_exempt ?? [],
    isRestricted: item.access_grants !== undefined && item.access_grants !== null,
    position,
    updatedAt: kernel.clock.now(),
  }
}
