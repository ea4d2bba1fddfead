/** Persistent settings (contract, Authentication 14), for the platform's owners. */
import { SettingList, SettingsBody } from '@chancery/contract/settings.ts'
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
    method: 'GET',
    path: '/api/v1/configs',
    access: 'platformOwner',
    summary: 'Every setting, where its value comes from, and whether it can be saved here',
    reply: SettingList,
    handle: async () => presentSettings(registry.list()),
  }),
  route({
    method: 'POST',
    path: '/api/v1/configs',
    access: 'platformOwner',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Save settings by key; null goes back to the environment’s value',
    body: SettingsBody,
    reply: SettingList,
    handle: async ({ actor, body, http }) => {
      await save(actor, body, http)
      return presentSettings(registry.list())
    },
  }),
]
