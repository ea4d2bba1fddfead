/** For authors of plugins: a check before one is saved, and a try after. */
import { pluginEndpoints } from '@chancery/contract/endpoints/plugin-tree.ts'
import * as pluginsEndpoints from '@chancery/contract/endpoints/plugins.ts'
import { AppError } from '#kernel/errors.ts'
import { type Route, route } from '#kernel/http/route.ts'
import { tryPlugin } from '../authoring/try-plugin.ts'
import type { CallPlugin } from '../calling/call-plugin.ts'
import type { PluginsContext } from '../context.ts'
import { loadPlugin } from '../reading/load-plugin.ts'
import { trees } from './trees.ts'

const access = 'platformOwner'
const limits = [{ per: 'actor', max: 120, windowSec: 60 }] as const

export const authorRoutes = (context: PluginsContext, callPlugin: CallPlugin): Route[] => [
  route({
    ...pluginsEndpoints.checkPlugin,
    access,
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    limits,
    summary: 'Load a source without storing it, and say what is wrong with it',
    maxBodyBytes: 512 * 1024,
    handle: async ({ actor, body }) => {
      try {
        const { kind, spec } = await loadPlugin(context, { id: 'check', source: body.content, valves: {}, actor })
        return { problem: null, line: null, type: kind, specs: spec.tools }
      } catch (problem) {
        if (!(problem instanceof AppError) || problem.code !== 'plugin_invalid') throw problem
        const line = /\(line (\d+)\)/.exec(problem.message)?.[1]
        return { problem: problem.message, line: line === undefined ? null : Number(line), type: null, specs: [] }
      }
    },
  }),
  ...trees.map(({ name, kinds }) =>
    route({
      ...pluginEndpoints(name).tryOut,
      access,
      writes: { reachesOthers: false, whenReadOnly: 'refused' },
      limits,
      summary: 'Run one method of a plugin with these arguments',
      handle: ({ actor, params, body, http }) =>
        tryPlugin({ context, callPlugin }, actor, { id: params.plugin, kinds, body, signal: http.signal, from: http }),
    }),
  ),
]
