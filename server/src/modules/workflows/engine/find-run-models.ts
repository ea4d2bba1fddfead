/** The models of a run's catalog, instead of the instance's. Cached until the catalog changes. */
import { AppError } from '#kernel/errors.ts'
import type { PrivateModels } from '#modules/models/index.ts'
import { openEntries } from '../catalogs/catalog-keys.ts'
import { findCatalogUnscoped } from '../queries/catalogs.ts'
import type { EngineContext } from './context.ts'
import type { RunHead } from './node-face.ts'

const maxCached = 200

/** Undefined for a run without a catalog. */
export const findRunModels = async (
  { kernel, models, catalogs }: Pick<EngineContext, 'kernel' | 'models' | 'catalogs'>,
  { catalogId, scopeId }: Pick<RunHead, 'catalogId' | 'scopeId'>,
): Promise<PrivateModels | undefined> => {
  if (catalogId === null) return undefined
  const catalog = await findCatalogUnscoped(kernel.db, { id: catalogId, scopeId })
  if (!catalog) throw new AppError('catalog_not_found')
  const updatedAt = catalog.updatedAt.getTime()
  const known = catalogs.get(catalogId)
  if (known?.updatedAt === updatedAt) return known.models
  if (catalogs.size >= maxCached) catalogs.clear()
  const entries = openEntries(kernel, catalog)
  const opened = models.openPrivate(
    entries.map(({ model_ids: modelIds, prices = {}, ...entry }) => ({ ...entry, modelIds, prices })),
  )
  catalogs.set(catalogId, { updatedAt, models: opened })
  return opened
}
