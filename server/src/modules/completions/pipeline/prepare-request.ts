/** The pipeline up to the call: model defaults, inlet filters, features, tools, retrieval, images, in this order. */
import type { CompletionBody } from '@chancery/contract/chats/completions.ts'
import { AppError } from '#kernel/errors.ts'
import { isJsonObject } from '#kernel/json/is-json-object.ts'
import type { CallOrigin, ProviderRequest } from '#modules/models/index.ts'
import type { Tool, ToolContext } from '#modules/tools/index.ts'
import type { CompletionsContext } from '../context.ts'
import type { FilterContext } from '../interface.ts'
import type { RoundsJob } from '../rounds/run-rounds.ts'
import { applyModelDefaults } from './apply-model-defaults.ts'
import { findSources } from './find-sources.ts'
import { providerBody } from './provider-fields.ts'
import { filterContextOf, type PipelineRequest } from './request.ts'
import { resolveImages } from './resolve-images.ts'
import { chunkFilter, filtersFor, runInlet } from './run-filters.ts'

export interface Prepared {
  job: RoundsJob
  sources: unknown[]
}

export const prepareRequest = async (context: CompletionsContext, request: PipelineRequest): Promise<Prepared> => {
  const { actor, model, signal } = request
  const filterContext = filterContextOf(request)
  const filters = await filtersFor(context, filterContext, request.body.filter_ids ?? [])
  const withDefaults = applyModelDefaults(context, request)
  const filtered = await runInlet(filters, withDefaults, filterContext)
  const featured = await runFeatures(context, filtered, filterContext)
  const tools = await resolveTools(context, request, featured)
  const { body: sourced, sources } = await findSources(context, request, featured)
  const body = await resolveImages(context, request, sourced)
  const { chatId, messageId, sessionId } = filterContext
  const conversation = { modelId: model.id, messages: featured.messages, files: featured.files ?? [] }
  const toolContext = { actor, signal, chatId, messageId, sessionId, emit: request.emit, conversation }
  return {
    sources,
    job: {
      actor,
      model,
      signal,
      body: withTools(withUsage(providerBody(body)), tools),
      origin: originOf(toolContext, tools),
      toolRun: tools.length > 0 ? { tools, context: toolContext, log: context.log } : undefined,
      filterChunk: chunkFilter(filters, filterContext, context.log),
    },
  }
}

/** For models that are code. They run tools themselves, so ours are not sent to them as definitions alone. */
const originOf = (context: ToolContext, tools: readonly Tool[]): CallOrigin => {
  const { chatId, messageId, sessionId, emit, conversation } = context
  return {
    chatId,
    messageId,
    sessionId,
    emit,
    files: conversation?.files ?? [],
    tools,
    callTool: async (name, args) => {
      const tool = tools.find((one) => one.name === name)
      if (!tool) throw new AppError('tool_not_allowed')
      return tool.run(args, context)
    },
  }
}

/** A feature that no module has registered changes nothing. */
const runFeatures = async (
  { features }: CompletionsContext,
  body: CompletionBody,
  context: FilterContext,
): Promise<CompletionBody> => {
  let changed = body
  for (const [name, value] of Object.entries(body.features ?? {}))
    if (value === true) changed = (await features.get(name)?.(changed, context)) ?? changed
  return changed
}

/** With `tools` in the request, even an empty list, the caller runs tools itself and ours are not resolved. */
const resolveTools = async (
  { tools }: CompletionsContext,
  { actor, signal, body: asked }: PipelineRequest,
  body: CompletionBody,
): Promise<Tool[]> => {
  if (body.tools || !body.tool_ids?.length) return []
  // Tools that the model, a filter or a feature has added are there as far as the caller's key allows.
  const named = new Set(asked.tool_ids)
  const added = await tools.withinRoutes(
    actor,
    body.tool_ids.filter((id) => !named.has(id)),
  )
  const wanted = body.tool_ids.filter((id) => named.has(id) || added.includes(id))
  const resolved = await tools.resolve(actor, wanted, signal)
  const byName = new Map(resolved.toReversed().map((tool) => [tool.name, tool]))
  return [...byName.values()].toReversed()
}

const withTools = (body: ProviderRequest, tools: readonly Tool[]): ProviderRequest =>
  tools.length === 0 ? body : { ...body, tools: tools.map(definitionOf) }

const definitionOf = ({ name, description, parameters }: Tool) => ({
  type: 'function',
  function: { name, description, parameters },
})

/** Always requested, since stored messages and tool rounds need it; the caller sees it only if they asked for it. */
const withUsage = (body: ProviderRequest): ProviderRequest =>
  body.stream === true
    ? {
        ...body,
        stream_options: { ...(isJsonObject(body.stream_options) ? body.stream_options : {}), include_usage: true },
      }
    : body

export const wantsUsage = ({ stream_options }: CompletionBody): boolean =>
  isJsonObject(stream_options) && stream_options.include_usage === true
