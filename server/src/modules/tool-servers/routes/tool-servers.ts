/** `/api/v1/configs/tool_servers`, for the platform's owners. */
import * as endpoints from '@chancery/contract/endpoints/tool-servers.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { ToolServersContext } from '../context.ts'
import { listMcpPrompts, listMcpResources } from '../mcp/mcp-offers.ts'
import { asPerson } from '../mcp/mcp-server.ts'
import { listMs, type OpenServer } from '../remote/remote-call.ts'
import { showHeaders } from '../remote/server-headers.ts'
import { openServer, requireKnownAuth, rowOf, saveServers } from '../servers/save-servers.ts'
import { toolIdOf } from '../servers/server-source.ts'
import { listServerTools } from '../servers/tool-server.ts'
import { requireSignIn } from '../sign-in/grant.ts'

export const toolServerRoutes = (context: ToolServersContext): Route[] => {
  const list = () => {
    const items = context.catalog.servers().map((server) => present(openServer(context, server)))
    return { items, total: items.length }
  }
  return [
    route({
      ...endpoints.getToolServers,
      access: 'platformOwner',
      summary: 'The tool servers, without their keys and the values of their headers',
      handle: async () => list(),
    }),
    route({
      ...endpoints.saveToolServers,
      access: 'platformOwner',
      writes: { reachesOthers: 'sometimes', whenReadOnly: 'refused' },
      summary:
        'Replace the list of tool servers; a key or headers left out, and the blank value of a header, keep what is stored, unless the server is another one',
      handle: async ({ actor, body, http }) => {
        await saveServers(context, actor, { items: body.items, from: http })
        return list()
      },
    }),
    route({
      ...endpoints.verifyToolServer,
      access: 'platformOwner',
      writes: { reachesOthers: false, whenReadOnly: 'refused' },
      summary: 'Try a tool server without saving it; the key of a saved one is used for the same server',
      handle: async ({ actor, body }) => {
        requireKnownAuth(body)
        const known = context.catalog.servers().find(({ id }) => id === body.id)
        const row = rowOf(context, { item: body, position: 0, known })
        try {
          const server = { ...openServer(context, row), grants: null }
          if (server.authType === 'oauth_2.1') {
            await requireSignIn(context.kernel, server)
            return { reachable: true, problem: null, tools: [], resources: [], prompts: [] }
          }
          return { reachable: true, problem: null, ...(await offerOf(context, server, actor)) }
        } catch (problem) {
          return {
            reachable: false,
            problem: String((problem as Error).message).slice(0, 500),
            tools: [],
            resources: [],
            prompts: [],
          }
        }
      },
    }),
  ]
}

const offerOf = async (context: ToolServersContext, server: OpenServer, actor: Actor) => {
  const asking = { actor, chatId: null, messageId: null }
  const visit = { shared: context, server, call: { asking, signal: AbortSignal.timeout(listMs) } }
  const isMcp = server.type === 'mcp'
  const [tools, resources, prompts] = await Promise.all([
    listServerTools(context, server, asking),
    isMcp ? asPerson(visit, listMcpResources) : [],
    isMcp ? asPerson(visit, listMcpPrompts) : [],
  ])
  return {
    tools: tools.map(({ name, description }) => ({ name, description })),
    resources: resources.map(({ name, description }) => ({ name, description })),
    prompts: prompts.map(({ name, description }) => ({ name, description })),
  }
}

const present = (server: OpenServer) => ({
  id: server.id,
  tool_id: toolIdOf(server),
  type: server.type,
  name: server.name,
  url: server.url,
  path: server.path,
  auth_type: server.authType,
  has_key: server.sealedKey !== null,
  headers: showHeaders(server.headers),
  enabled: server.enabled,
  needs_approval: server.needsApproval,
  approval_exempt: server.approvalExempt,
  access_grants: server.grants === null ? null : [...server.grants],
})
