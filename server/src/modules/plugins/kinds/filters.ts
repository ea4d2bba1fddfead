/** Filters of plugins, for the pipeline: global ones, those of the model, and those that the request names. */
import { AppError } from '#kernel/errors.ts'
import { isJsonObject } from '#kernel/json/is-json-object.ts'
import type { Filter, FilterContext, FilterSource } from '#modules/completions/index.ts'
import { type CallPlugin, userValvesOf } from '../calling/call-plugin.ts'
import type { PluginRecord } from '../catalog.ts'
import type { PluginsContext } from '../context.ts'
import { listUsable } from '../usable-plugins.ts'
import { openValves } from '../valves/valves.ts'

const wallMs = 60_000

export const createFilterSource = (context: PluginsContext, callPlugin: CallPlugin): FilterSource => {
  const { catalog } = context
  /** Active filters with their priority. This and what follows is made once for each change, not for each request. */
  let active: { record: PluginRecord; priority: number }[] = []
  let hasGlobal = false
  /** Those that run where a model names them. */
  let forModels: ReadonlySet<string> = new Set()
  const refresh = (): void => {
    active = catalog
      .all()
      .filter(({ kind, isActive }) => kind === 'filter' && isActive)
      .map((record) => ({ record, priority: priorityOf(context, record) }))
    const unasked = active.filter(({ record }) => !record.spec.toggle)
    hasGlobal = unasked.some(({ record }) => record.isGlobal)
    forModels = new Set(unasked.map(({ record }) => record.id))
  }
  const appliesToModel = (ofModel: readonly string[]): boolean => hasGlobal || ofModel.some((id) => forModels.has(id))
  catalog.onLoad(refresh)
  refresh()

  const isMeant = (
    { id, spec, isGlobal }: PluginRecord,
    ofModel: readonly string[],
    named: readonly string[],
  ): boolean => named.includes(id) || (!spec.toggle && (isGlobal || ofModel.includes(id)))

  return {
    appliesTo: ({ filterIds }) => appliesToModel(filterIds),
    filtersFor: async (filterContext, named) => {
      if (named.length === 0 && !appliesToModel(filterContext.modelFilterIds)) return []
      // Grants decide who may name a filter. One of the instance or of the model runs for everybody: it may protect.
      const usable = named.length === 0 ? [] : (await listUsable(context, filterContext.actor)).map(({ id }) => id)
      const allowed = named.filter((id) => usable.includes(id))
      return active
        .filter(({ record }) => isMeant(record, filterContext.modelFilterIds, allowed))
        .map(({ record, priority }) => filterOf(context, { record, priority, callPlugin, filterContext }))
    },
  }
}

/**
 * An administrator may change the order with a valve of this name. Settings that can't be decrypted fail the calls of
 * their own plugin, which is why they don't fail here, where all plugins are loaded.
 */
const priorityOf = (context: PluginsContext, record: PluginRecord): number => {
  try {
    const { priority } = openValves(context, record)
    return typeof priority === 'number' ? priority : record.spec.priority
  } catch (problem) {
    context.kernel.log.error({ err: problem, plugin: record.id }, 'The settings of a plugin could not be decrypted.')
    return record.spec.priority
  }
}

interface Making {
  record: PluginRecord
  priority: number
  callPlugin: CallPlugin
  filterContext: FilterContext
}

const filterOf = (context: PluginsContext, { record, priority, callPlugin, filterContext }: Making): Filter => {
  let valves: Promise<Record<string, unknown>> | undefined
  const { actor, modelId, chatId, messageId, sessionId, emit, task } = filterContext
  const origin = { actor, modelId, chatId, messageId, sessionId, emit, task }
  const run = async (method: string, value: object): Promise<unknown> => {
    // The same for all chunks of a reply.
    valves ??= userValvesOf(context, actor, record)
    const outcome = await callPlugin({
      record,
      target: 'Filter',
      method,
      args: [value],
      origin,
      wallMs,
      userValves: await valves,
    })
    return outcome.kind === 'value' ? outcome.value : undefined
  }
  const has = (method: string): boolean => record.spec.methods.includes(method)
  const mustHold = record.spec.mustHold ?? false
  /** A result that is no conversation changes nothing. */
  const changedBy = async <Value extends object>(method: string, value: Value): Promise<Value> => {
    const changed = await run(method, value)
    if (isJsonObject(changed) && Array.isArray(changed.messages)) return changed as Value
    if (mustHold) throw new AppError('filter_failed')
    return value
  }
  return {
    id: record.id,
    priority,
    mustHold,
    ...(has('inlet') && { inlet: (body) => changedBy('inlet', body) }),
    ...(has('stream') && {
      stream: async (chunk) => {
        const changed = await run('stream', chunk)
        return isJsonObject(changed) ? changed : null
      },
    }),
    ...(has('outlet') && { outlet: (payload) => changedBy('outlet', payload) }),
  }
}
