/** What a connection serves, under the names of the house: its list, held against what administrators chose of it. */
import type { ListedModel } from './drivers/driver.ts'
import type { LiveConnection, ServedModel } from './live-connection.ts'

const mostModels = 5000
const longestId = 300

/** Where a list of models is set, only those count, and they count even if the backend lists nothing. */
export const servedModels = (connection: LiveConnection): ServedModel[] => {
  const { prefixId, modelIds, type } = connection.settings
  const known = connection.list.models ?? []
  const chosen = modelIds === null || modelIds.length === 0 ? known : choose(known, modelIds, type)
  return chosen
    .map((model) => ({ id: prefixId === null ? model.id : `${prefixId}.${model.id}`, listed: model, connection }))
    .filter(({ id, listed }) => listed.id !== '' && id.length <= longestId)
    .slice(0, mostModels)
}

const choose = (listed: readonly ListedModel[], modelIds: readonly string[], ownedBy: string): ListedModel[] => {
  const byId = new Map(listed.map((model) => [model.id, model]))
  const unlisted = (id: string): ListedModel[] =>
    listed.length > 0 ? [] : [{ id, name: id, ownedBy, created: null, capabilities: [], contextLength: null }]
  return modelIds.flatMap((id) => byId.get(id) ?? unlisted(id))
}
