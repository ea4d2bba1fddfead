/** One call of a model, through the pipeline, counted against the agent's budget. */
import type { ChatMessage } from '@chancery/contract/chats/completions.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { ResolvedModel } from '#modules/models/index.ts'
import { NodeFailure } from '../core/backoff.ts'
import type { RunsContext } from '../shared/context.ts'
import type { ConfigOf, NodeCall } from '../shared/node-interface.ts'
import { getRunActor } from '../shared/run-actor.ts'
import type { AgentTrace } from './agent-trace.ts'
import { countedModel } from './counted-model.ts'
import { findRunModels } from './find-run-models.ts'
import { readToolCalls, type ToolCall } from './tool-calls.ts'

export type AgentNeeds = Pick<RunsContext, 'kernel' | 'completions' | 'models' | 'tools' | 'catalogs' | 'definitions'>

export interface Turn {
  text: string
  toolCalls: ToolCall[]
  /** As it is added to the conversation. */
  message: ChatMessage
}

export const askModel = (needs: AgentNeeds, call: NodeCall<ConfigOf<'agent'>>, trace: AgentTrace) => {
  const { config, run, signal, spend } = call
  let spent = call.tokensBefore
  const count: typeof spend = (tokens, cost) => {
    spent += tokens.prompt + tokens.completion
    spend(tokens, cost)
  }

  let format = config.output_schema && formatOf(config.output_schema)
  /** A model that refuses the native format is asked again without it; the schema is in the prompt in any case. */
  const withFormat = async <Outcome>(complete: (wanted: typeof format) => Promise<Outcome>): Promise<Outcome> => {
    try {
      return await complete(format)
    } catch (problem) {
      const isRefused = problem instanceof AppError && problem.code === 'provider_refused'
      if (format === undefined || !isRefused) throw problem
      format = undefined
      return complete(format)
    }
  }

  const ask = async (messages: readonly ChatMessage[], tools: readonly unknown[] | undefined): Promise<Turn> => {
    const left = config.max_tokens === undefined ? undefined : config.max_tokens - spent
    if (left !== undefined && left <= 0)
      throw new NodeFailure(`The agent used up its budget of ${config.max_tokens} tokens.`, { canRetry: false })
    const actor = await getRunActor(needs.kernel.db, run)
    const models = await findRunModels(needs, run)
    const model = models ? models.resolve(config.model) : await resolveModel(needs, actor, config.model)
    const complete = (format: Record<string, unknown> | undefined) => {
      const body = {
        model: config.model,
        messages: [...messages],
        stream: false,
        ...(format && { response_format: format }),
        ...(tools && tools.length > 0 && { tools: tools as Record<string, unknown>[] }),
        ...(config.temperature !== undefined && { temperature: config.temperature }),
        ...(config.knowledge?.length && {
          files: config.knowledge.map((id) => ({ type: 'collection' as const, id })),
        }),
        ...(left !== undefined && { max_tokens: left }),
        // A model's own tools and features reach other systems too.
        ...(run.isDry && { tool_ids: [], features: {} }),
      }
      const counted = countedModel(model, { count, record: () => trace.begin(model, body) })
      return needs.completions.complete({ actor, signal, models: { resolve: () => counted }, body })
    }
    // A format would keep local models from calling a tool.
    const outcome = await (tools && tools.length > 0 ? complete(undefined) : withFormat(complete))
    if (outcome.kind !== 'whole') throw new AppError('provider_failed')
    trace.addSources(outcome.completion.sources)
    return readTurn(outcome.completion)
  }
  return ask
}

/** Not strict: that mode takes a part of JSON Schema only. */
const formatOf = (schema: Record<string, unknown>): Record<string, unknown> => ({
  type: 'json_schema',
  json_schema: { name: 'output', schema },
})

/** While a provider hasn't been reached since the start, its models are unknown: that passes, "no such model" doesn't. */
const resolveModel = async ({ models }: AgentNeeds, actor: Actor, modelId: string): Promise<ResolvedModel> => {
  try {
    return await models.resolve(actor, modelId)
  } catch (problem) {
    const isUnknown = problem instanceof AppError && problem.code === 'model_not_found'
    if (isUnknown && models.hasUnreadLists())
      throw new NodeFailure(`Couldn't reach every provider yet, so "${modelId}" wasn't found.`, { canRetry: true })
    throw problem
  }
}

interface Completion {
  choices?: { message?: { content?: unknown; tool_calls?: unknown } }[]
}

const readTurn = (completion: Completion): Turn => {
  const message = completion.choices?.[0]?.message
  if (!message) throw new AppError('provider_failed', { detail: 'The model sent an invalid reply.' })
  const text = typeof message.content === 'string' ? message.content : ''
  const toolCalls = readToolCalls(message.tool_calls)
  const sent = toolCalls.map(({ id, name, arguments: args }) => ({
    id,
    type: 'function',
    function: { name, arguments: args },
  }))
  return {
    text,
    toolCalls,
    message: { role: 'assistant', content: text, ...(sent.length > 0 && { tool_calls: sent }) },
  }
}
