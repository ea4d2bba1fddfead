/** The models that a connection serves, with its prefix: its list, narrowed to the chosen ids. */

import type { ListedModel } from '../drivers/driver.ts'
import type { ConnectionSettings } from './connection.ts'

const mostModels = 5000
const longestId = 300

/** With `modelIds` set, only those are served, even if the backend lists nothing. */
export const servedModels = (
  { prefixId, modelIds, type }: ConnectionSettings,
  known: readonly ListedModel[],
): { id: string; listed: ListedModel }[] => {
  const chosen = modelIds === null || modelIds.length === 0 ? known : choose(known, modelIds, type)
  return chosen
    .map((model) => ({ id: prefixId === null ? model.id : `${prefixId}.${model.id}`, listed: model }))
    .filter(({ id, listed }) => listed.id !== '' && id.length <= longestId)
    .slice(0, mostModels)
}

const choose = (listed: readonly ListedModel[], modelIds: readonly string[], ownedBy: string): ListedModel[] => {
  const byId = new Map(listed.map((model) => [model.id, model]))
  const unlisted = (id: string): ListedModel[] =>
    listed.length > 0 ? [] : [{ id, name: id, ownedBy, created: null, capabilities: [], contextLength: null }]
  return modelIds.flatMap((id) => byId.get(id) ?? unlisted(id))
}
