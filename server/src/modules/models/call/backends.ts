/** Backends for the passthrough: it sends its own paths and bodies, with our key, breakers and time limits. */
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { outcomeOfStatus } from '../connections/connection-health.ts'
import { isHealthy, type LiveConnection } from '../connections/live-connection.ts'
import type { ModelsContext } from '../context.ts'
import type { Backend } from '../interface.ts'
import { getChain } from '../records/find-model.ts'

export const resolveBackends = async (context: ModelsContext, actor: Actor, modelId: string): Promise<Backend[]> => {
  const { end } = await getChain(context, actor, modelId)
  if (end.kind === 'source') throw new AppError('model_not_found')
  const healthyFirst = end.by.toSorted((one, other) => Number(isHealthy(other)) - Number(isHealthy(one)))
  return healthyFirst.map(({ connection, listed }) => backendOf(connection, { nativeId: listed.id, caller: actor.id }))
}

export const listRuntimes = ({ connections }: ModelsContext): Backend[] =>
  connections
    .all()
    .filter(({ settings }) => settings.type === 'upstream')
    .map((connection) => backendOf(connection, { nativeId: '', caller: '' }))

interface Asked {
  nativeId: string
  caller: string
}

const backendOf = (connection: LiveConnection, { nativeId, caller }: Asked): Backend => ({
  connectionId: connection.settings.id,
  type: connection.settings.type,
  url: connection.settings.url,
  nativeId,
  timeoutMs: connection.timeoutMs,
  fetch: (request) =>
    connection.attempt(
      { modelId: nativeId, caller },
      () => connection.client.send(request),
      ({ status }) => outcomeOfStatus(status),
    ),
})
