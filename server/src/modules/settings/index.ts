/** Settings that an administrator may save over the environment's values. The public interface of the module. */
import './tables.ts'
import type { Origin } from '#kernel/audit/audit.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { Kernel, Module } from '#kernel/kernel.ts'
import { createSharedCopy } from '#kernel/shared-copy.ts'
import type { SettingsConfig } from './config.ts'
import { listSavedUnscoped } from './queries.ts'
import { createRegistry, type Registry } from './registry.ts'
import { settingsRoutes } from './routes.ts'
import { saveSettings } from './save-settings.ts'

export type { SettingsConfig } from './config.ts'

export { declareRetention, type Retention } from './retention.ts'
export type { SettingDefinition } from './setting.ts'

export interface Settings extends Module {
  /** Answers how to read the value in force: synchronously, at any later time. */
  register: Registry['register']
  /** Saves values by key for a platform admin; resolves when they are in force on this node. */
  save(actor: Actor, body: Record<string, unknown>, from: Origin): Promise<void>
  /** Told after values in force have changed, on every node, with their keys. */
  onChange(listener: (keys: readonly string[]) => void): void
}

/** Saved values are loaded before anybody can read, so no request ever meets the values of the environment instead. */
export const createSettings = async ({ kernel }: { kernel: Kernel<SettingsConfig> }): Promise<Settings> => {
  const { config, db, log, sealer } = kernel
  const registry = createRegistry({ gates: config, sealer, log })
  const listeners: ((keys: readonly string[]) => void)[] = []
  const load = async (): Promise<void> => {
    const changed = registry.takeOver(await listSavedUnscoped(db))
    if (changed.length > 0) for (const listener of listeners) listener(changed)
  }
  const copy = await createSharedCopy({ kernel, topic: 'settings', load })
  const save: Settings['save'] = (actor, body, from) =>
    saveSettings({ ...kernel, registry, copy }, actor, { body, from })
  return {
    register: registry.register,
    save,
    onChange: (listener) => void listeners.push(listener),
    routes: settingsRoutes({ registry, save }),
    start: copy.start,
  }
}
