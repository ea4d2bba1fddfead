/** Valves: the settings of a plugin for the instance, set by its owners, and for each person. */
import { pluginEndpoints } from '@chancery/contract/endpoints/plugin-tree.ts'
import * as pluginsEndpoints from '@chancery/contract/endpoints/plugins.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { type Route, route } from '#kernel/http/route.ts'
import { getPlugin, updateValves } from '../authoring/save-plugin.ts'
import type { PluginRecord } from '../catalog.ts'
import type { PluginsContext } from '../context.ts'
import { listUsable } from '../usable-plugins.ts'
import { defaultsOf, openValves, readUserValves, showValves, writeUserValves } from '../valves/valves.ts'
import { type Tree, trees } from './trees.ts'

const access = 'platformOwner'

export const valveRoutes = (context: PluginsContext): Route[] => [
  personalListRoute(context),
  ...trees.flatMap((tree) => [...instanceRoutes(context, tree), ...personalRoutes(context, tree)]),
]

const instanceRoutes = (context: PluginsContext, { name, kinds }: Tree): Route[] => {
  const endpoints = pluginEndpoints(name)
  const shownValves = (id: string) => {
    const record = getPlugin(context, id, kinds)
    const values = { ...defaultsOf(record.spec.valves), ...openValves(context, record) }
    return { valves: showValves(record.spec.valves, values) }
  }
  return [
    route({
      ...endpoints.getValves,
      access,
      summary: 'The settings of a plugin, without its secrets',
      handle: async ({ params }) => shownValves(params.plugin),
    }),
    route({
      ...endpoints.getValvesSpec,
      access,
      summary: 'The JSON Schema of the settings of a plugin',
      handle: async ({ params }) => ({ spec: getPlugin(context, params.plugin, kinds).spec.valves }),
    }),
    route({
      ...endpoints.setValves,
      access,
      writes: { reachesOthers: false, whenReadOnly: 'refused' },
      summary: 'Replace the settings of a plugin; the placeholder of a secret keeps it',
      handle: async ({ actor, params, body, http }) => {
        await updateValves(context, actor, { id: params.plugin, kinds, values: body.valves, from: http })
        return shownValves(params.plugin)
      },
    }),
  ]
}

/** Throws `plugin_not_found` for what is unknown, switched off or not the caller's to use, alike. */
const getUsable = async (
  context: PluginsContext,
  actor: Actor,
  { id, kinds }: { id: string; kinds: Tree['kinds'] },
): Promise<PluginRecord> => {
  const record = (await listUsable(context, actor)).find((one) => one.id === id)
  if (!record || !kinds.includes(record.kind)) throw new AppError('plugin_not_found')
  return record
}

const personalListRoute = (context: PluginsContext): Route =>
  route({
    ...pluginsEndpoints.listPersonalValves,
    access: 'user',
    summary: 'The plugins that have settings of your own',
    handle: async ({ actor }) => {
      const items = (await listUsable(context, actor))
        .filter(({ spec }) => spec.userValves !== null)
        .map(({ id, name, kind, description }) => ({ id, name, type: kind, description }))
      return { items, total: items.length }
    },
  })

const personalRoutes = (context: PluginsContext, { name, kinds }: Tree): Route[] => {
  const endpoints = pluginEndpoints(name)
  const shown = async (actor: Actor, record: PluginRecord) => ({
    valves: showValves(record.spec.userValves, await readUserValves(context, actor, record)),
  })
  return [
    route({
      ...endpoints.getUserValves,
      access: 'user',
      summary: 'Your own settings of a plugin, without secrets',
      handle: async ({ actor, params }) => shown(actor, await getUsable(context, actor, { id: params.plugin, kinds })),
    }),
    route({
      ...endpoints.getUserValvesSpec,
      access: 'user',
      summary: 'The JSON Schema of your own settings of a plugin',
      handle: async ({ actor, params }) => ({
        spec: (await getUsable(context, actor, { id: params.plugin, kinds })).spec.userValves,
      }),
    }),
    route({
      ...endpoints.setUserValves,
      access: 'user',
      writes: { reachesOthers: false, whenReadOnly: 'refused' },
      summary: 'Replace your own settings of a plugin; the placeholder of a secret keeps it',
      handle: async ({ actor, params, body }) => {
        const record = await getUsable(context, actor, { id: params.plugin, kinds })
        await writeUserValves(context, actor, { record, values: body.valves })
        return shown(actor, record)
      },
    }),
  ]
}
