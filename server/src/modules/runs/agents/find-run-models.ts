/** The models of a run's catalog, instead of the instance's. Cached until the catalog changes. */
import { AppError } from '#kernel/errors.ts'
import type { PrivateModels } from '#modules/models/index.ts'
import type { RunsContext } from '../shared/context.ts'
import type { RunHead } from '../shared/node-interface.ts'

const maxCached = 200

/** Undefined for a run without a catalog. */
export const findRunModels = async (
  { kernel, models, catalogs, definitions }: Pick<RunsContext, 'kernel' | 'models' | 'catalogs' | 'definitions'>,
  { catalogId, scopeId }: Pick<RunHead, 'catalogId' | 'scopeId'>,
): Promise<PrivateModels | undefined> => {
  if (catalogId === null) return undefined
  const catalog = await definitions.findCatalogUnscoped(kernel.db, { id: catalogId, scopeId })
  if (!catalog) throw new AppError('catalog_not_found')
  const updatedAt = catalog.updatedAt.getTime()
  const known = catalogs.get(catalogId)
  if (known?.updatedAt === updatedAt) return known.models
  if (catalogs.size >= maxCached) catalogs.clear()
  const opened = models.openPrivate(catalog.open())
  catalogs.set(catalogId, { updatedAt, models: opened })
  return opened
}
