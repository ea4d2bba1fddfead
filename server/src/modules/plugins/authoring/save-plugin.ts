/**
 * Creates, changes and deletes plugins. A source is loaded in a sandbox before it is stored, so that nothing is stored
 * that can't run. Every change makes a new version: no process runs an old one after it.
 */
import type { PluginBody, PluginKind, PluginPatch } from '@chancery/contract/plugins/plugins.ts'
import type { z } from 'zod'
import type { Origin } from '#kernel/audit/audit.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { scopeOf } from '#kernel/http/scope.ts'
import { pluginResource } from '../catalog.ts'
import type { PluginsContext } from '../context.ts'
import {
  deletePluginUnscoped,
  insertPluginUnscoped,
  lockPluginUnscoped,
  type PluginRow,
  updatePluginUnscoped,
} from '../queries/plugins.ts'
import { loadPlugin } from '../reading/load-plugin.ts'
import { mergeValves, openValves, requireSchema, sealValves } from '../valves/valves.ts'

/** Every node holds all of them in memory. */
const maxPlugins = 500

interface Creation {
  body: z.output<typeof PluginBody>
  /** The kinds that may be created at this path. */
  kinds: readonly PluginKind[]
  from: Origin
}

export const createPlugin = async (
  context: PluginsContext,
  actor: Actor,
  { body, kinds, from }: Creation,
): Promise<void> => {
  const { catalog, kernel, organizations } = context
  if (catalog.all().length >= maxPlugins) throw new AppError('plugin_limit_reached')
  const loaded = await loadPlugin(context, { id: body.id, source: body.content, valves: {}, actor })
  requireKind(loaded.kind, kinds)
  requireFreeNames(context, loaded.spec.tools)
  const now = kernel.clock.now()
  const grants = body.access_grants ?? null
  const row: Omit<PluginRow, 'version'> = {
    id: body.id,
    kind: loaded.kind,
    name: body.name,
    description: body.meta?.description ?? loaded.description,
    source: body.content,
    spec: loaded.spec,
    manifest: loaded.manifest,
    sealedValves: null,
    // Tools act only where a request names them; the others would change what everybody gets.
    isActive: body.is_active ?? loaded.kind === 'tool',
    isGlobal: false,
    isRestricted: grants !== null,
    needsApproval: body.needs_approval ?? false,
    approvalExempt: body.approval_exempt ?? [],
    ownerKind: actor.kind,
    ownerId: actor.id,
    createdAt: now,
    updatedAt: now,
  }
  await catalog.change(async (tx) => {
    if (!(await insertPluginUnscoped(tx, row))) throw new AppError('plugin_exists')
    const resource = { type: pluginResource, id: row.id }
    await organizations.grants.replace(tx, actor, { resource, grants: grants ?? [] })
    await record(context, tx, { action: 'create', id: row.id, actor, from, detail: { name: row.name, kind: row.kind } })
  })
}

interface Request {
  id: string
  kinds: readonly PluginKind[]
  from: Origin
}

/** Throws `plugin_not_found`, also for a plugin that belongs at another path. */
export const getPlugin = ({ catalog }: Pick<PluginsContext, 'catalog'>, id: string, kinds: readonly PluginKind[]) => {
  const found = catalog.find(id)
  if (!found || !kinds.includes(found.kind)) throw new AppError('plugin_not_found')
  return found
}

type Patch = z.output<typeof PluginPatch>

export const updatePlugin = async (
  context: PluginsContext,
  actor: Actor,
  { id, kinds, patch, from }: Request & { patch: Patch },
): Promise<void> => {
  const known = getPlugin(context, id, kinds)
  const loaded =
    patch.content === undefined
      ? undefined
      : await loadPlugin(context, { id, source: patch.content, valves: openValves(context, known), actor })
  if (loaded && loaded.kind !== known.kind)
    throw new AppError('plugin_invalid', { detail: `This plugin is a ${known.kind}. Create a new one instead.` })
  if (loaded) requireFreeNames(context, loaded.spec.tools)
  const grants = patch.access_grants
  await change(
    context,
    actor,
    { id, kinds, from, action: 'update', detail: { changed: Object.keys(patch) } },
    async (tx, row) => {
      if (grants !== undefined)
        await context.organizations.grants.replace(tx, actor, {
          resource: { type: pluginResource, id },
          grants: grants ?? [],
        })
      return {
        ...row,
        name: patch.name ?? row.name,
        description: patch.meta?.description ?? row.description,
        isActive: patch.is_active ?? row.isActive,
        isRestricted: grants === undefined ? row.isRestricted : grants !== null,
        needsApproval: patch.needs_approval ?? row.needsApproval,
        approvalExempt: patch.approval_exempt ?? row.approvalExempt,
        ...(loaded && { source: patch.content ?? row.source, spec: loaded.spec, manifest: loaded.manifest }),
      }
    },
  )
}

export const togglePlugin = (
  context: PluginsContext,
  actor: Actor,
  { field, ...request }: Request & { field: 'isActive' | 'isGlobal' },
): Promise<void> =>
  change(context, actor, { ...request, action: 'toggle', detail: { field } }, async (_tx, row) => ({
    ...row,
    [field]: !row[field],
  }))

/** The models of a pipe may depend on its settings, such as the key of a provider. */
export const updateValves = async (
  context: PluginsContext,
  actor: Actor,
  { values, ...request }: Request & { values: Record<string, unknown> },
): Promise<void> => {
  const { id, source, spec, version, ...known } = getPlugin(context, request.id, request.kinds)
  const merged = async (row: Pick<PluginRow, 'id' | 'spec' | 'sealedValves'>, isChecked: boolean) => {
    const schema = requireSchema(row.spec.valves)
    const valves = mergeValves(schema, values, openValves(context, row))
    if (!isChecked) await context.valveCheck.assertValues(schema, valves, scopeOf(actor))
    return valves
  }
  const valves = await merged({ id, spec, ...known }, false)
  const loaded = spec.hasDynamicPipes ? await loadPlugin(context, { id, source, valves, actor }) : undefined
  await change(
    context,
    actor,
    { ...request, action: 'valves', detail: { changed: Object.keys(values) } },
    async (_tx, row) => ({
      ...row,
      // Checked before the row was locked, unless the plugin has changed since.
      sealedValves: sealValves(context, id, await merged(row, row.version === version)),
      ...(loaded && row.source === source && { spec: loaded.spec }),
    }),
  )
}

export const deletePlugin = async (
  context: PluginsContext,
  actor: Actor,
  { id, kinds, from }: Request,
): Promise<void> => {
  const { name } = getPlugin(context, id, kinds)
  await context.catalog.change(async (tx) => {
    await deletePluginUnscoped(tx, id)
    await context.organizations.grants.deleteUnscoped(tx, { type: pluginResource, id })
    await record(context, tx, { action: 'delete', id, actor, from, detail: { name } })
  })
}

/** An id can be another plugin's by now. */
const isSamePlugin = (one: PluginRow, other: PluginRow): boolean =>
  one.createdAt.getTime() === other.createdAt.getTime()

interface Change extends Request {
  action: string
  detail: Record<string, unknown>
}

/** Under the row's lock, so that of two changes at once neither is lost. */
const change = async (
  context: PluginsContext,
  actor: Actor,
  { id, kinds, from, action, detail }: Change,
  work: (tx: Db, row: PluginRow) => Promise<PluginRow>,
): Promise<void> => {
  const known = getPlugin(context, id, kinds)
  await context.catalog.change(async (tx) => {
    const row = await lockPluginUnscoped(tx, id)
    if (!row || !isSamePlugin(row, known)) throw new AppError('plugin_not_found')
    const changed = await work(tx, row)
    await updatePluginUnscoped(tx, { ...changed, updatedAt: context.kernel.clock.now() })
    await record(context, tx, { action, id, actor, from, detail })
  })
}

const requireKind = (kind: PluginKind, kinds: readonly PluginKind[]): void => {
  if (kinds.includes(kind)) return
  const path = kind === 'tool' ? '/api/v1/tools' : '/api/v1/functions'
  throw new AppError('plugin_invalid', { detail: `The source is a ${kind}. Create it at ${path}.` })
}

const requireFreeNames = ({ tools }: PluginsContext, methods: readonly { name: string }[]): void => {
  const taken = methods.find(({ name }) => tools.isReserved(name))
  if (taken)
    throw new AppError('plugin_invalid', {
      detail: `The name ${taken.name} belongs to a built-in tool. Rename the method.`,
    })
}

interface Action {
  action: string
  id: string
  actor: Actor
  from: Origin
  detail: Record<string, unknown>
}

const record = ({ kernel }: PluginsContext, tx: Db, { action, id, actor, from, detail }: Action): Promise<void> =>
  kernel.audit.record(tx, { action: `plugin.${action}`, by: actor, from, target: { kind: 'plugin', id }, detail })
