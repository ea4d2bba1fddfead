/** `/api/v1/functions` and `/api/v1/tools`: the same tree for both, for the platform's owners. */
import { pluginEndpoints } from '@chancery/contract/endpoints/plugin-tree.ts'
import * as pluginsEndpoints from '@chancery/contract/endpoints/plugins.ts'
import { unixSeconds } from '#kernel/clock.ts'
import { type Route, route } from '#kernel/http/route.ts'
import { presentPlugin } from '../authoring/present.ts'
import { createPlugin, deletePlugin, getPlugin, togglePlugin, updatePlugin } from '../authoring/save-plugin.ts'
import type { PluginsContext } from '../context.ts'
import { listLogLinesUnscoped } from '../queries/logs.ts'
import { type Tree, trees } from './trees.ts'

const access = 'platformOwner'
const maxBodyBytes = 512 * 1024

export const pluginRoutes = (context: PluginsContext): Route[] =>
  trees.flatMap((tree) => [...recordRoutes(context, tree), ...switchRoutes(context, tree)])

const shown = (context: PluginsContext, id: string, { kinds }: Tree) => {
  const record = getPlugin(context, id, kinds)
  return { ...presentPlugin(record), content: record.source }
}

const recordRoutes = (context: PluginsContext, tree: Tree): Route[] => {
  const { name, kinds } = tree
  const endpoints = pluginEndpoints(name)
  return [
    route({
      ...endpoints.list,
      access,
      summary: 'All plugins of this kind, without their source',
      handle: async () => {
        const items = context.catalog.all().filter(({ kind }) => kinds.includes(kind))
        return { items: items.map(presentPlugin), total: items.length }
      },
    }),
    route({
      ...endpoints.create,
      access,
      writes: { reachesOthers: 'sometimes', whenReadOnly: 'refused' },
      summary: 'Add a plugin from its source',
      maxBodyBytes,
      handle: async ({ actor, body, http }) => {
        await createPlugin(context, actor, { body, kinds, from: http })
        return shown(context, body.id, tree)
      },
    }),
    route({
      ...endpoints.get,
      access,
      summary: 'One plugin with its source',
      handle: async ({ params }) => shown(context, params.plugin, tree),
    }),
    route({
      ...endpoints.update,
      access,
      writes: { reachesOthers: 'sometimes', whenReadOnly: 'refused' },
      summary: 'Change a plugin; a new source is loaded before it is stored',
      maxBodyBytes,
      handle: async ({ actor, params, body, http }) => {
        await updatePlugin(context, actor, { id: params.plugin, kinds, patch: body, from: http })
        return shown(context, params.plugin, tree)
      },
    }),
    route({
      ...endpoints.remove,
      access,
      writes: { reachesOthers: false, whenReadOnly: 'refused' },
      summary: 'Delete a plugin with its settings and its log',
      handle: ({ actor, params, http }) => deletePlugin(context, actor, { id: params.plugin, kinds, from: http }),
    }),
  ]
}

const switchRoutes = (context: PluginsContext, tree: Tree): Route[] => {
  const { name, kinds } = tree
  const endpoints = pluginEndpoints(name)
  return [
    route({
      ...endpoints.toggle,
      access,
      writes: { reachesOthers: false, whenReadOnly: 'refused' },
      summary: 'Switch a plugin on or off',
      handle: async ({ actor, params, http }) => {
        await togglePlugin(context, actor, { id: params.plugin, kinds, field: 'isActive', from: http })
        return shown(context, params.plugin, tree)
      },
    }),
    ...(name === 'functions'
      ? [
          route({
            ...pluginsEndpoints.toggleGlobal,
            access,
            writes: { reachesOthers: false, whenReadOnly: 'refused' },
            summary: 'Let a filter run for every model, or only for those that name it',
            handle: async ({ actor, params, http }) => {
              await togglePlugin(context, actor, {
                id: params.plugin,
                kinds: ['filter'],
                field: 'isGlobal',
                from: http,
              })
              return shown(context, params.plugin, tree)
            },
          }),
        ]
      : []),
    route({
      ...endpoints.listLogs,
      access,
      summary: 'The newest lines that a plugin logged, and its failures',
      handle: async ({ params }) => {
        const { id } = getPlugin(context, params.plugin, kinds)
        await context.log.flush()
        const lines = await listLogLinesUnscoped(context.kernel.db, id)
        return {
          items: lines.map((one) => ({
            id: Number(one.id),
            at: unixSeconds(one.at),
            level: one.level,
            text: one.text,
          })),
        }
      },
    }),
  ]
}
