/** Models behind somebody's own credentials: called like all others, counted like all others, listed nowhere. */

import { unixSeconds } from '#kernel/clock.ts'
import { AppError } from '#kernel/errors.ts'
import { withoutTrailingSlash } from '../connections/connection.ts'
import { createLiveConnection, type LiveConnection } from '../connections/live-connection.ts'
import type { ModelsContext } from '../context.ts'
import type { PrivateConnection, PrivateModels } from '../interface.ts'
import { callModel } from './call-model.ts'

export const openPrivateModels = (
  { kernel, drivers, meter }: ModelsContext,
  connections: readonly PrivateConnection[],
): PrivateModels => {
  const { clock, config, ids, outbound } = kernel
  const open = ({ name, type, url, key, modelIds, prices }: PrivateConnection): LiveConnection =>
    createLiveConnection({
      settings: {
        id: ids.next(),
        name,
        type,
        url: withoutTrailingSlash(url),
        key,
        modelIds,
        prefixId: null,
        tags: [],
        enabled: true,
        timeoutSec: null,
        prices,
        source: 'database',
        createdAt: null,
        updatedAt: null,
      },
      driver: drivers[type],
      outbound,
      clock,
      isTrusted: false,
      known: undefined,
      onRead: () => undefined,
      defaultTimeoutMs: config.HTTP_CLIENT_TIMEOUT * 1000,
      listTimeoutMs: config.HTTP_CLIENT_TIMEOUT_OPENAI_MODEL_LIST * 1000,
      signal: new AbortController().signal,
    })
  const served = connections.flatMap((connection) => (connection.modelIds.length > 0 ? open(connection).serves() : []))
  const deps = { meter, newId: () => ids.next(), nowSec: () => unixSeconds(clock.now()) }
  return {
    resolve: (id) => {
      const by = served.filter((model) => model.id === id)
      if (by.length === 0) throw new AppError('model_not_found')
      return {
        id,
        name: id,
        isPrivate: true,
        params: {},
        system: null,
        capabilities: [],
        filterIds: [],
        contextLength: null,
        call: (call) =>
          callModel(deps, { id, end: { kind: 'served', by }, contextLength: null, isPrivate: true }, call),
      }
    },
  }
}
