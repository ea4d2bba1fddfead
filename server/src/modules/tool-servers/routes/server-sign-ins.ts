/** Signing in at MCP servers: each person for themselves, in the browser. */
import * as endpoints from '@chancery/contract/endpoints/tool-servers.ts'
import { unixSeconds } from '#kernel/clock.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { ToolServerRecord } from '../catalog.ts'
import type { ToolServersContext } from '../context.ts'
import { deleteServerTokens, listServerTokens } from '../queries/server-sign-ins.ts'
import { toolIdOf, usableServers } from '../servers/server-source.ts'
import { beginSignIn, finishSignIn } from '../sign-in/sign-in.ts'

const page = '/account/plugins'
const limits = [{ per: 'actor', max: 30, windowSec: 60 }] as const

/** Throws `tool_server_not_found`, also for a server that is not the caller's to use or asks nobody to sign in. */
const getServer = async (context: ToolServersContext, actor: Actor, id: string): Promise<ToolServerRecord> => {
  const server = (await usableServers(context, actor)).find((one) => one.id === id)
  if (server?.authType !== 'oauth_2.1') throw new AppError('tool_server_not_found')
  return server
}

export const serverSignInRoutes = (context: ToolServersContext): Route[] => {
  const { db } = context.kernel
  return [
    route({
      ...endpoints.listSignIns,
      access: 'user',
      summary: 'The tool servers that ask you to sign in, and whether you have',
      handle: async ({ actor }) => {
        const tokens = await listServerTokens(db, actor)
        const servers = (await usableServers(context, actor)).filter(({ authType }) => authType === 'oauth_2.1')
        const items = servers.map((server) => {
          const found = tokens.find(({ serverId, url }) => serverId === server.id && url === server.url)
          const { id, name } = server
          return { id, tool_id: toolIdOf(server), name, connected_at: found ? unixSeconds(found.updatedAt) : null }
        })
        return { items, total: items.length }
      },
    }),
    route({
      ...endpoints.signOut,
      access: 'user',
      writes: { reachesOthers: false, whenReadOnly: 'refused' },
      summary: 'Forget your sign-in at a tool server',
      handle: async ({ actor, params }) => {
        const { id } = await getServer(context, actor, params.server)
        await deleteServerTokens(db, actor, id)
      },
    }),
    route({
      ...endpoints.startSignIn,
      access: 'user',
      limits,
      summary: 'Go to the page where you sign in at a tool server',
      handle: async ({ actor, params }) => ({
        redirectTo: await beginSignIn(context, actor, await getServer(context, actor, params.server)),
      }),
    }),
    route({
      ...endpoints.finishSignIn,
      access: 'user',
      limits,
      summary: 'Where a tool server sends you back to after you signed in there',
      handle: async ({ actor, params, query: { code, state } }) => {
        const server = await getServer(context, actor, params.server)
        const outcome = code === undefined || state === undefined ? 'declined' : 'connected'
        if (code !== undefined && state !== undefined)
          await finishSignIn(context, actor, { server, returned: { code, state } })
        return { redirectTo: `${page}?${outcome}=${encodeURIComponent(server.id)}` }
      },
    }),
  ]
}
