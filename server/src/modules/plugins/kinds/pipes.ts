/** Pipes of plugins, as models: one each, or several behind one plugin. */
import { AppError } from '#kernel/errors.ts'
import { isJsonObject } from '#kernel/json/is-json-object.ts'
import { parsePiece } from '#kernel/json/parse-foreign.ts'
import type { ModelCall, ModelSource, SourceModel } from '#modules/models/index.ts'
import type { CallPlugin } from '../calling/call-plugin.ts'
import type { PluginRecord } from '../catalog.ts'
import type { PluginsContext } from '../context.ts'
import { PluginFailure } from '../runtime/index.ts'

const wallMs = 1_800_000

export const modelsOf = ({ id, name, description, spec, ownerKind, ownerId, grants }: PluginRecord): SourceModel[] =>
  spec.pipes.map((pipe) => ({
    id: pipe.id === '' ? id : `${id}.${pipe.id}`,
    name: pipe.id === '' ? name : pipe.name,
    ownedBy: 'plugin',
    description,
    access: { owner: { kind: ownerKind, id: ownerId }, grants },
  }))

export const createPipeSource = ({ catalog }: PluginsContext, callPlugin: CallPlugin): ModelSource => {
  let models: SourceModel[] = []
  let byModel = new Map<string, PluginRecord>()
  const refresh = (): void => {
    const records = catalog.all().filter(({ kind, isActive }) => kind === 'pipe' && isActive)
    models = records.flatMap(modelsOf)
    byModel = new Map(records.flatMap((record) => modelsOf(record).map(({ id }) => [id, record])))
  }
  catalog.onLoad(refresh)
  refresh()

  return {
    list: () => models,
    async *call(modelId, call) {
      const record = byModel.get(modelId)
      // Removed between the choice of the model and this call.
      if (!record) throw new Error('The pipe is gone.')
      const { emit = () => undefined } = call.origin ?? {}
      const origin = { chatId: null, messageId: null, sessionId: null, ...call.origin, emit, actor: call.actor }
      try {
        const outcome = await callPlugin({
          record,
          target: 'Pipe',
          method: 'pipe',
          args: [{ ...call.body, model: modelId }],
          origin: { ...origin, modelId, signal: call.signal },
          wallMs,
        })
        if (outcome.kind === 'value') yield* partsOf(outcome.value, emit)
        else for await (const item of outcome.items) yield* partsOf(item, emit)
      } catch (problem) {
        if (!(problem instanceof PluginFailure)) throw problem
        throw new AppError(problem.code === 'timeout' ? 'provider_timeout' : 'provider_failed', {
          detail: problem.message.slice(0, 1000),
        })
      }
    },
  }
}

type Emit = NonNullable<ModelCall['origin']>['emit']

/** Text, a chunk, a whole completion, a line of an event stream, or `{ event }` for the browser. */
function* partsOf(value: unknown, emit: Emit): Generator<string | Record<string, unknown>> {
  if (typeof value === 'string') yield* value.startsWith('data:') ? linePart(value) : [value]
  else if (!isJsonObject(value)) {
    if (value !== null && value !== undefined) yield String(value)
  } else if (Array.isArray(value.choices)) yield asChunk(value)
  else if (isJsonObject(value.event)) emitYielded(value.event, emit)
  else yield JSON.stringify(value)
}

/** A pipe may pass on what another server sent, so code for the browser is taken from `__event_emitter__` only (A32). */
const emitYielded = ({ type, data }: Record<string, unknown>, emit: Emit): void => {
  if (typeof type === 'string' && type !== 'execute') emit({ type, data: data ?? {} })
}

function* linePart(line: string): Generator<string | Record<string, unknown>> {
  const text = line.slice('data:'.length).trim()
  if (text === '[DONE]') return
  const chunk = parsePiece(text)
  if (chunk === undefined) yield line
  else if (isJsonObject(chunk)) yield chunk
}

/** A whole completion has `message` where a chunk has `delta`. */
const asChunk = ({ event: _, ...completion }: Record<string, unknown>): Record<string, unknown> => ({
  ...completion,
  choices: (completion.choices as unknown[]).map((choice) => {
    if (!isJsonObject(choice) || !isJsonObject(choice.message)) return choice
    const { message, ...rest } = choice
    return { ...rest, delta: message }
  }),
})
