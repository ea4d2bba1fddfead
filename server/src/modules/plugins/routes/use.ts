/** For users of plugins: see what they may switch on, run an action. */
import * as endpoints from '@chancery/contract/endpoints/plugins.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { PluginsContext } from '../context.ts'
import type { RunAction } from '../kinds/run-action.ts'
import { listUsable } from '../usable-plugins.ts'

export const useRoutes = (context: PluginsContext, runAction: RunAction): Route[] => [
  route({
    ...endpoints.listUsableFunctions,
    access: 'signedIn',
    summary: 'The filters that a request may switch on in filter_ids, and the actions',
    handle: async ({ actor }) => {
      const items = (await listUsable(context, actor))
        .filter(({ kind, spec }) => kind === 'action' || (kind === 'filter' && spec.toggle))
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
    ...endpoints.runAction,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Run an action on a message of a chat',
    maxBodyBytes: 8 * 1024 * 1024,
    handle: async ({ actor, params, body, http }) => ({
      result: await runAction(actor, { id: params.plugin, body, signal: http.signal }),
    }),
  }),
]
