/** What people do with plugins: set their own valves, see what they may switch on, run an action. */
import { ActionBody, ActionReply, UsablePlugins, Valves, ValvesBody, ValvesSpec } from '@chancery/contract/plugins.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { type Route, route } from '#kernel/http/route.ts'
import { mayUse } from '#modules/organizations/index.ts'
import type { PluginRecord } from '../catalog.ts'
import type { PluginsContext } from '../context.ts'
import type { RunAction } from '../run-action.ts'
import { readUserValves, showValves, writeUserValves } from '../valves.ts'
import { type Tree, trees } from './plugins.ts'

export const useRoutes = (context: PluginsContext, runAction: RunAction): Route[] => [
  ...trees.flatMap((tree) => userValveRoutes(context, tree)),
  route({
    method: 'GET',
    path: '/api/v1/functions/usable',
    access: 'signedIn',
    summary: 'The filters that a request may switch on in filter_ids, and the actions',
    reply: UsablePlugins,
    handle: async () => {
      const items = context.catalog
        .all()
        .filter(({ kind, isActive, spec }) => isActive && (kind === 'action' || (kind === 'filter' && spec.toggle)))
        .map(({ id, name, kind, description, spec }) => ({
          id,
          name,
          type: kind,
          description,
          has_user_valves: spec.userValves !== null,
        }))
      return { items, total: items.length }
    },
  }),
  route({
    method: 'POST',
    path: '/api/chat/actions/:plugin',
    access: 'user',
    summary: 'Run an action on a message of a chat',
    body: ActionBody,
    maxBodyBytes: 8 * 1024 * 1024,
    reply: ActionReply,
    handle: async ({ actor, params, body, http }) => ({
      result: await runAction(actor, { id: params.plugin, body, signal: http.signal }),
    }),
  }),
]

/** Throws `plugin_not_found` for what is unknown, switched off or not the caller's to use, alike. */
const getUsable = async (
  { catalog, organizations }: PluginsContext,
  actor: Actor,
  { id, kinds }: { id: string; kinds: Tree['kinds'] },
): Promise<PluginRecord> => {
  const record = catalog.find(id)
  const groups = await organizations.grants.groupsOf(actor)
  if (!record?.isActive || !kinds.includes(record.kind)) throw new AppError('plugin_not_found')
  const owner = { kind: record.ownerKind, id: record.ownerId }
  if (!mayUse({ actor, groups, owner, grants: record.grants, permission: 'read' }))
    throw new AppError('plugin_not_found')
  return record
}

const userValveRoutes = (context: PluginsContext, { base, kinds }: Tree): Route[] => {
  const shown = async (actor: Actor, record: PluginRecord) => ({
    valves: showValves(record.spec.userValves, await readUserValves(context, actor, record)),
  })
  return [
    route({
      method: 'GET',
      path: `${base}/id/:plugin/valves/user`,
      access: 'user',
      summary: 'Your own settings of a plugin, without secrets',
      reply: Valves,
      handle: async ({ actor, params }) => shown(actor, await getUsable(context, actor, { id: params.plugin, kinds })),
    }),
    route({
      method: 'GET',
      path: `${base}/id/:plugin/valves/user/spec`,
      access: 'user',
      summary: 'The JSON Schema of your own settings of a plugin',
      reply: ValvesSpec,
      handle: async ({ actor, params }) => ({
        spec: (await getUsable(context, actor, { id: params.plugin, kinds })).spec.userValves,
      }),
    }),
    route({
      method: 'POST',
      path: `${base}/id/:plugin/valves/user/update`,
      access: 'user',
      summary: 'Replace your own settings of a plugin; the placeholder of a secret keeps it',
      body: ValvesBody,
      reply: Valves,
      handle: async ({ actor, params, body }) => {
        const record = await getUsable(context, actor, { id: params.plugin, kinds })
        await writeUserValves(context, actor, { record, values: body.valves })
        return shown(actor, record)
      },
    }),
  ]
}
