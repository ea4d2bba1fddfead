/**
 * Which settings exist and what they are worth now. Reading is synchronous, from memory; the code that loads the table puts
 * its rows in here, again and again.
 */
import { storedSeal } from '#kernel/crypto/seal-context.ts'
import type { Sealer } from '#kernel/crypto/sealer.ts'
import { isSameJson } from '#kernel/json/same-json.ts'
import type { Log } from '#kernel/log.ts'
import { type Gates, type InForce, inForce, isHeldToEnvironment, type SettingDefinition } from './setting.ts'

export interface SettingState extends InForce {
  definition: SettingDefinition<unknown>
  isEditable: boolean
}

export interface Registry {
  /** Answers how to read the value in force, at any later time. */
  register<Value>(definition: SettingDefinition<Value>): () => Value
  find(key: string): SettingState | undefined
  list(): SettingState[]
  /** Takes over what the table says now. Answers the keys whose value in force is another than before. */
  takeOver(saved: ReadonlyMap<string, unknown>): string[]
}

/** Binds a sealed value to its setting: copied to another key, it does not open. */
export const sealedAs = storedSeal({ purpose: 'setting', table: 'settings', columns: ['value'], by: ['key'] })

interface Options {
  gates: Gates
  sealer: Sealer
  log: Log
}

export const createRegistry = ({ gates, sealer, log }: Options): Registry => {
  const states = new Map<string, SettingState>()
  let saved: ReadonlyMap<string, unknown> = new Map()

  /** A value that cannot be read (another sealing key, an older schema) counts as not saved; the start must not fail. */
  const read = ({ key, type, schema }: SettingDefinition<unknown>): unknown => {
    const raw = saved.get(key)
    if (raw === undefined || isHeldToEnvironment(key, gates)) return undefined
    try {
      return schema.parse(type === 'secret' ? sealer.open(String(raw), sealedAs(key)) : raw)
    } catch (problem) {
      log.warn({ setting: key, reason: (problem as Error).name }, 'A saved setting cannot be read and is not used.')
      return undefined
    }
  }
  const stateOf = (definition: SettingDefinition<unknown>): SettingState => ({
    definition,
    isEditable: !isHeldToEnvironment(definition.key, gates),
    ...inForce(definition, read(definition)),
  })

  return {
    register: <Value>(definition: SettingDefinition<Value>) => {
      const { key } = definition
      if (states.has(key)) throw new Error(`two settings are called ${key}`)
      states.set(key, stateOf(definition))
      return () => states.get(key)?.value as Value
    },
    find: (key) => states.get(key),
    list: () => [...states.values()].sort((one, other) => (one.definition.key < other.definition.key ? -1 : 1)),
    takeOver: (rows) => {
      if (isSame(rows, saved)) return []
      saved = rows
      const changed: string[] = []
      for (const [key, before] of states) {
        const after = stateOf(before.definition)
        states.set(key, after)
        if (!isSameJson(after.value, before.value)) changed.push(key)
      }
      return changed
    },
  }
}

const isSame = (rows: ReadonlyMap<string, unknown>, saved: ReadonlyMap<string, unknown>): boolean =>
  rows.size === saved.size && [...rows].every(([key, value]) => saved.has(key) && isSameJson(value, saved.get(key)))
