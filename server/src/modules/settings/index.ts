/** Settings that an administrator may save over the environment's values. The public face of the module. */
import './tables.ts'
import type { Origin } from '#kernel/audit/audit.ts'
import { createConcurrencyLimit } from '#kernel/concurrency-limit.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { Kernel, Module } from '#kernel/kernel.ts'
import { listSavedUnscoped } from './queries.ts'
import { createRegistry, type Registry } from './registry.ts'
import { settingsRoutes } from './routes.ts'
import { saveSettings, settingsTopic } from './save-settings.ts'

export type { SettingDefinition } from './setting.ts'

/** Should a signal be lost, this bounds how long a node goes on with old values (P7: 5 s). */
const refreshEveryMs = 3000

export interface Settings extends Module {
  /** Answers how to read the value in force: synchronously, at any later time. */
  register: Registry['register']
  /** Saves values by key for a platform owner; resolves when they are in force on this node. */
  save(actor: Actor, body: Record<string, unknown>, from: Origin): Promise<void>
  /** Told after values in force have changed, on every node, with their keys. */
  onChange(listener: (keys: readonly string[]) => void): void
}

/** What is saved is loaded before anybody can read, so no request ever meets the values of the environment instead. */
export const createSettings = async ({ kernel }: { kernel: Kernel }): Promise<Settings> => {
  const { config, db, log, sealer, signals, tasks } = kernel
  const registry = createRegistry({ gates: config, sealer, log })
  const listeners: ((keys: readonly string[]) => void)[] = []
  const inTurn = createConcurrencyLimit(1)

  /** One at a time, so that an older answer never follows a newer one. */
  const refresh = (): Promise<void> =>
    inTurn(async () => {
      const changed = registry.takeOver(await listSavedUnscoped(db))
      if (changed.length > 0) for (const listener of listeners) listener(changed)
    })
  signals.on(settingsTopic, () => tasks.run('settings.refresh', refresh))
  await refresh()

  const save: Settings['save'] = async (actor, body, from) => {
    await saveSettings({ ...kernel, registry }, actor, { body, from })
    await refresh()
  }
  return {
    register: registry.register,
    save,
    onChange: (listener) => void listeners.push(listener),
    routes: settingsRoutes({ registry, save }),
    start: (signal) => tasks.every('settings.refresh', { everyMs: refreshEveryMs, signal }, refresh),
  }
}
