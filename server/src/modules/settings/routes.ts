/** Persistent settings (contract, Authentication 14), for the platform's owners. */
import * as endpoints from '@chancery/contract/endpoints/platform.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { type HttpCall, type Route, route } from '#kernel/http/route.ts'
import { presentSettings } from './present.ts'
import type { Registry } from './registry.ts'

interface Options {
  registry: Registry
  /** Resolves when the new values are in force on this node. */
  save(actor: Actor, body: Record<string, unknown>, from: HttpCall): Promise<void>
}

export const settingsRoutes = ({ registry, save }: Options): Route[] => [
  route({
    ...endpoints.getSettings,
    access: 'platformOwner',
    summary: 'Every setting, where its value comes from, and whether it can be saved here',
    handle: async () => presentSettings(registry.list()),
  }),
  route({
    ...endpoints.changeSettings,
    access: 'platformOwner',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Save settings by key; null goes back to the environment’s value',
    handle: async ({ actor, body, http }) => {
      await save(actor, body, http)
      return presentSettings(registry.list())
    },
  }),
]
