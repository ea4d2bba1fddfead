/**
 * Valves: a plugin's typed settings, one set for the instance and one for each person. Stored encrypted as a whole; what
 * the schema calls a secret never leaves the server again.
 */
import { secretPlaceholder } from '@chancery/contract/plugins/plugins.ts'
import { storedSeal } from '#kernel/crypto/seal-context.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { scopeOf } from '#kernel/http/scope.ts'
import { isJsonObject } from '#kernel/json/is-json-object.ts'
import { assertSafeKeys } from '#kernel/json/merge.ts'
import { parseOwn } from '#kernel/json/parse-own.ts'
import type { PluginRecord } from '../catalog.ts'
import type { PluginsContext } from '../context.ts'
import { findUserValves, saveUserValves } from '../queries/user-valves.ts'

type Values = Record<string, unknown>
type Schema = Record<string, unknown>

const sealedAs = storedSeal({ purpose: 'plugin-valves', table: 'plugins', columns: ['sealed_valves'], by: ['id'] })
const userSealedAs = storedSeal({
  purpose: 'plugin-user-valves',
  table: 'plugin_user_valves',
  columns: ['sealed'],
  by: ['plugin_id', 'user_id'],
})

type Sealing = Pick<PluginsContext, 'kernel'>

export const openValves = (
  { kernel }: Sealing,
  { id, sealedValves }: Pick<PluginRecord, 'id' | 'sealedValves'>,
): Values => (sealedValves === null ? {} : (parseOwn(kernel.sealer.open(sealedValves, sealedAs(id))) as Values))

export const sealValves = ({ kernel }: Sealing, id: string, values: Values): string =>
  kernel.sealer.seal(JSON.stringify(values), sealedAs(id))

export const readUserValves = async (
  { kernel }: Sealing,
  actor: Actor,
  { id, spec, createdAt }: PluginRecord,
): Promise<Values> => {
  const sealed = await findUserValves(kernel.db, actor, { id, createdAt })
  const own = sealed === undefined ? {} : (parseOwn(kernel.sealer.open(sealed, userSealedAs(id, actor.id))) as Values)
  return { ...defaultsOf(spec.userValves), ...own }
}

export const writeUserValves = async (
  context: Pick<PluginsContext, 'kernel' | 'valveCheck'>,
  actor: Actor,
  { record, values }: { record: PluginRecord; values: Values },
): Promise<void> => {
  const { db, sealer, clock } = context.kernel
  const known = await readUserValves(context, actor, record)
  const schema = requireSchema(record.spec.userValves)
  const merged = mergeValves(schema, values, known)
  await context.valveCheck.assertValues(schema, merged, scopeOf(actor))
  const sealed = sealer.seal(JSON.stringify(merged), userSealedAs(record.id, actor.id))
  const isSaved = await saveUserValves(db, actor, { plugin: record, sealed, at: clock.now() })
  if (!isSaved) throw new AppError('plugin_not_found')
}

const propertiesOf = (schema: Schema | null): [string, Schema][] =>
  isJsonObject(schema?.properties) ? (Object.entries(schema.properties) as [string, Schema][]) : []

const isSecret = (property: Schema): boolean => property?.secret === true || property?.format === 'password'

export const defaultsOf = (schema: Schema | null): Values =>
  Object.fromEntries(
    propertiesOf(schema).flatMap(([name, property]) =>
      property?.default === undefined ? [] : [[name, property.default]],
    ),
  )

/** Shorter ones would hide ordinary words. */
const minHidden = 4

/** The secrets among these values, as text and as they appear in JSON. */
export const secretsIn = (schema: Schema | null, values: Values): string[] =>
  propertiesOf(schema).flatMap(([name, property]) => {
    const value = isSecret(property) ? values[name] : undefined
    if (typeof value !== 'string' || value.length < minHidden) return []
    return [value, JSON.stringify(value).slice(1, -1)]
  })

/** The values that an administrator or the person themselves may see again. */
export const showValves = (schema: Schema | null, values: Values): Values => {
  const secrets = new Set(propertiesOf(schema).flatMap(([name, property]) => (isSecret(property) ? [name] : [])))
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      !secrets.has(name) ? value : value === null || value === '' ? null : secretPlaceholder,
    ]),
  )
}

/** The values to be checked and stored: a placeholder keeps the secret there is. */
export const mergeValves = (schema: Schema, values: Values, known: Values): Values => {
  assertSafeKeys(values)
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]): [string, unknown][] => {
      const isKept =
        value === secretPlaceholder && isSecret((schema.properties as Record<string, Schema> | undefined)?.[name] ?? {})
      if (isKept) return known[name] === undefined ? [] : [[name, known[name]]]
      return value === null ? [] : [[name, value]]
    }),
  )
}

/** Throws `plugin_has_no_valves`. */
export const requireSchema = (schema: Schema | null): Schema => {
  if (!schema) throw new AppError('plugin_has_no_valves')
  return schema
}
