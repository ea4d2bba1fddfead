/**
 * Hands over or deletes the models of a person who is deleted. Models based on a deleted one stop working, as they
 * always do.
 */
import type { UserDeletionHandler } from '#modules/accounts/index.ts'
import { deleteGrantsUnscoped } from '#modules/organizations/index.ts'
import { type Catalog, modelResource } from './catalog.ts'
import { deleteModelsOfUnscoped, handOverModelsUnscoped } from './queries/models.ts'

export const handOverModels =
  (catalog: Pick<Catalog, 'announcePrincipal'>): UserDeletionHandler =>
  async (tx, { user, heir }) => {
    // Also when there are none: what was granted to the person is gone.
    await catalog.announcePrincipal(tx, user.id)
    if (heir) await handOverModelsUnscoped(tx, user.id, heir.id)
    else
      for (const { id } of await deleteModelsOfUnscoped(tx, user.id))
        await deleteGrantsUnscoped(tx, { type: modelResource, id })
  }
