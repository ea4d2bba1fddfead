/** For users of plugins: see what they may switch on, run an action. */
import { ActionBody, ActionReply, UsablePlugins } from '@chancery/contract/plugins.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { PluginsContext } from '../context.ts'
import type { RunAction } from '../kinds/run-action.ts'
import { listUsable } from '../usable-plugins.ts'

export const useRoutes = (context: PluginsContext, runAction: RunAction): Route[] => [
  route({
    method: 'GET',
    path: '/api/v1/functions/usable',
    access: 'signedIn',
    summary: 'The filters that a request may switch on in filter_ids, and the actions',
    reply: UsablePlugins,
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
    method: 'POST',
    path: '/api/chat/actions/:plugin',
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Run an action on a message of a chat',
    body: ActionBody,
    maxBodyBytes: 8 * 1024 * 1024,
    reply: ActionReply,
    handle: async ({ actor, params, body, http }) => ({
      result: await runAction(actor, { id: params.plugin, body, signal: http.signal }),
    }),
  }),
]
