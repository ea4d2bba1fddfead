/** Resources and prompts of MCP servers, for the composer: listed, read, and filled in as the person who asks. */
import * as endpoints from '@chancery/contract/endpoints/tool-servers.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { ToolServerRecord } from '../catalog.ts'
import type { ToolServersContext } from '../context.ts'
import { getMcpPrompt, listMcpPrompts, listMcpResources, readMcpResource } from '../mcp/mcp-offers.ts'
import { asPerson } from '../mcp/mcp-server.ts'
import type { McpTarget } from '../mcp/open-mcp.ts'
import { callMs, listMs, reasonOf } from '../remote/remote-call.ts'
import { openServer } from '../servers/save-servers.ts'
import { usableServers } from '../servers/server-source.ts'

const access = 'user'
const limits = [{ per: 'actor', max: 60, windowSec: 60 }] as const

type Work<Result> = (target: McpTarget) => Promise<Result>

export const serverOfferRoutes = (context: ToolServersContext): Route[] => {
  const usable = async (actor: Actor) => (await usableServers(context, actor)).filter(({ type }) => type === 'mcp')
  const visit = <Result>(server: ToolServerRecord, actor: Actor, { ms, work }: { ms: number; work: Work<Result> }) => {
    const call = { asking: { actor, chatId: null, messageId: null }, signal: AbortSignal.timeout(ms) }
    return asPerson({ shared: context, server: openServer(context, server), call }, work)
  }
  /** Lists the offers of every server that answers; a server where the person hasn't signed in adds none. */
  const listAll = async <Item>(actor: Actor, work: Work<Item[]>) => {
    const servers = await usable(actor)
    const found = await Promise.allSettled(servers.map((server) => visit(server, actor, { ms: listMs, work })))
    const items = found.flatMap((result, index) => {
      const server = servers[index]
      if (result.status === 'rejected' || !server) return []
      return result.value.map((item) => ({ server_id: server.id, server_name: server.name, ...item }))
    })
    return { items, total: items.length }
  }
  /** Throws `tool_server_not_found`, also for a server that is not the caller's to use, and `tool_failed`. */
  const useOne = async <Result>(actor: Actor, id: string, work: Work<Result>): Promise<Result> => {
    const server = (await usable(actor)).find((one) => one.id === id)
    if (!server) throw new AppError('tool_server_not_found')
    return visit(server, actor, { ms: callMs, work }).catch((problem: unknown) => {
      throw problem instanceof AppError ? problem : new AppError('tool_failed', { detail: reasonOf(problem) })
    })
  }
  return [
    route({
      ...endpoints.listResources,
      access,
      limits,
      summary: 'The resources of the MCP servers that you may use',
      handle: ({ actor }) => listAll(actor, listMcpResources),
    }),
    route({
      ...endpoints.readResource,
      access,
      writes: { reachesOthers: false, whenReadOnly: 'refused' },
      limits,
      summary: 'Read a resource of an MCP server',
      handle: async ({ actor, params, body }) => ({
        items: await useOne(actor, params.server, (target) => readMcpResource(target, body.uri)),
      }),
    }),
    route({
      ...endpoints.listServerPrompts,
      access,
      limits,
      summary: 'The prompts that MCP servers have prepared for you',
      handle: ({ actor }) => listAll(actor, listMcpPrompts),
    }),
    route({
      ...endpoints.readServerPrompt,
      access,
      writes: { reachesOthers: false, whenReadOnly: 'refused' },
      limits,
      summary: 'A prepared prompt of an MCP server with its arguments filled in, as the text of a message',
      handle: async ({ actor, params, body }) => {
        const request = { name: body.name, args: body.arguments ?? {} }
        const messages = await useOne(actor, params.server, (target) => getMcpPrompt(target, request))
        return { content: messages.map(({ text }) => text).join('\n\n') }
      },
    }),
  ]
}
