/**
 * Tools of tool servers, for the registry: `server:<id>` and `server:mcp:<id>`. Who may use a server is asked before the
 * server is. One that does not answer has no tools for a while, and costs the request nothing else.
 */
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { mayUse } from '#modules/organizations/index.ts'
import { type Tool, type ToolSource, withApproval } from '#modules/tools/index.ts'
import type { ToolServerRecord } from '../catalog.ts'
import type { ToolServersContext } from '../context.ts'
import { accessTokenOf } from '../sign-in/access-token.ts'
import { openServer } from './save-servers.ts'
import { listServerTools } from './tool-server.ts'

const freshMs = 60_000
const failedMs = 15_000
const maxKept = 1_000

export const toolIdOf = ({ id, type }: Pick<ToolServerRecord, 'id' | 'type'>): string =>
  type === 'mcp' ? `server:mcp:${id}` : `server:${id}`

export const usableServers = async (
  { catalog, organizations }: Pick<ToolServersContext, 'catalog' | 'organizations'>,
  actor: Actor,
): Promise<ToolServerRecord[]> => {
  const groups = await organizations.grants.groupsOf(actor)
  // Nobody owns a server but the instance.
  const owner = { kind: 'admin', id: '' } as const
  return catalog
    .servers()
    .filter(({ enabled, grants }) => enabled && mayUse({ actor, groups, owner, grants, permission: 'read' }))
}

interface Listed {
  tools: Promise<Tool[]>
  until: number
}

export const createServerSource = (context: ToolServersContext): ToolSource => {
  const { catalog, kernel } = context
  /** By server and person: headers say who asks, so a server may offer each of them something else. */
  const listed = new Map<string, Listed>()
  catalog.onLoad(() => listed.clear())

  const list = async (server: ToolServerRecord, actor: Actor, entry: { until: number }): Promise<Tool[]> => {
    try {
      const tools = await listServerTools(context, openServer(context, server), {
        actor,
        chatId: null,
        messageId: null,
      })
      return tools.map((tool) => withApproval(tool, server, context))
    } catch (problem) {
      entry.until = performance.now() + failedMs
      kernel.log.warn({ err: problem, server: server.id }, 'A tool server did not list its tools.')
      return []
    }
  }
  /** Throws `tool_sign_in_required`. False where the sign-in can't be refreshed now: the server has no tools for a while. */
  const isSignedIn = async (server: ToolServerRecord, actor: Actor): Promise<boolean> => {
    try {
      await accessTokenOf(context, { actor, server })
      return true
    } catch (problem) {
      if (problem instanceof AppError && problem.code === 'tool_sign_in_required') throw problem
      kernel.log.warn({ err: problem, server: server.id }, 'A sign-in at a tool server could not be refreshed.')
      return false
    }
  }
  const toolsOf = (server: ToolServerRecord, actor: Actor): Promise<Tool[]> => {
    const key = `${server.id} ${actor.id}`
    const known = listed.get(key)
    if (known && known.until > performance.now()) return known.tools
    if (listed.size >= maxKept) listed.clear()
    const entry = { until: performance.now() + freshMs, tools: Promise.resolve<Tool[]>([]) }
    entry.tools = list(server, actor, entry)
    listed.set(key, entry)
    return entry.tools
  }
  return {
    resolve: async (actor, toolId) => {
      const server = (await usableServers(context, actor)).find((one) => toolIdOf(one) === toolId)
      if (server?.authType === 'oauth_2.1' && !(await isSignedIn(server, actor))) return []
      return server && toolsOf(server, actor)
    },
    list: async (actor) =>
      (await usableServers(context, actor)).map((server) => ({
        id: toolIdOf(server),
        name: server.name,
        description: server.type === 'mcp' ? 'MCP server' : 'OpenAPI server',
      })),
  }
}
