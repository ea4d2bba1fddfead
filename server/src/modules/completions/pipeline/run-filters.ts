/**
 * The filters around a request: inlet may refuse it, stream may change or drop chunks, outlet may change the conversation.
 * A failure in stream or outlet changes nothing, unless the filter must hold: then nothing passes.
 */
import type { CompletionBody } from '@chancery/contract/chats/completions.ts'
import { AppError } from '#kernel/errors.ts'
import type { Log } from '#kernel/log.ts'
import type { ResolvedModel } from '#modules/models/index.ts'
import type { CompletionsContext } from '../context.ts'
import type { Filter, FilterContext, OutletPayload } from '../interface.ts'
import type { Chunk } from '../rounds/chunk.ts'
import type { FilterChunk } from '../rounds/filter-whole.ts'

/** Throws `filter_not_found` for an id that no module knows: a filter that is silently left out may be one that protects. */
export const filtersFor = async (
  { filterSources }: Pick<CompletionsContext, 'filterSources'>,
  context: FilterContext,
  filterIds: readonly string[],
): Promise<Filter[]> => {
  const found = await Promise.all(filterSources.map((source) => source.filtersFor(context, filterIds)))
  const filters = found.flat()
  const unknown = filterIds.find((id) => !filters.some((filter) => filter.id === id))
  if (unknown !== undefined)
    throw new AppError('filter_not_found', { detail: `There is no filter called ${JSON.stringify(unknown)}.` })
  return filters.sort((one, other) => one.priority - other.priority || (one.id < other.id ? -1 : 1))
}

/** From memory, so that requests without filters cost nothing. */
export const isFiltered = (
  { filterSources }: Pick<CompletionsContext, 'filterSources'>,
  model: Pick<ResolvedModel, 'filterIds'>,
): boolean => filterSources.some((source) => source.appliesTo?.(model) ?? true)

export const runInlet = async (
  filters: readonly Filter[],
  body: CompletionBody,
  context: FilterContext,
): Promise<CompletionBody> => {
  let filtered = body
  for (const filter of filters)
    try {
      filtered = (await filter.inlet?.(filtered, context)) ?? filtered
    } catch (problem) {
      if (problem instanceof AppError) throw problem
      const reason = problem instanceof Error ? problem.message.slice(0, 500) : ''
      throw new AppError('filter_refused', { ...(reason && { detail: reason }), cause: problem })
    }
  return filtered
}

/** Logs the failure, or throws where the filter must hold. */
const passOrThrow = (filter: Filter, problem: unknown, log: Log): void => {
  log.warn({ err: problem, filter: filter.id }, 'A filter failed.')
  if (filter.mustHold) throw problem instanceof AppError ? problem : new AppError('filter_failed', { cause: problem })
}

/** Undefined if no filter reads chunks, so that nothing is awaited for each of them. */
export const chunkFilter = (filters: readonly Filter[], context: FilterContext, log: Log): FilterChunk | undefined => {
  const active = filters.filter((filter) => filter.stream)
  if (active.length === 0) return undefined
  return async (chunk) => {
    let shown: Chunk | null = chunk
    for (const filter of active)
      try {
        if (shown && filter.stream) shown = await filter.stream(shown, context)
      } catch (problem) {
        passOrThrow(filter, problem, log)
      }
    return shown
  }
}

export const runOutlet = async (
  filters: readonly Filter[],
  payload: OutletPayload,
  { context, log }: { context: FilterContext; log: Log },
): Promise<OutletPayload> => {
  let filtered = payload
  for (const filter of filters)
    try {
      filtered = (await filter.outlet?.(filtered, context)) ?? filtered
    } catch (problem) {
      passOrThrow(filter, problem, log)
    }
  return filtered
}
