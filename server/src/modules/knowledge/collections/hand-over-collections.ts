/** Hands over or deletes the collections of a person who is deleted. */
import type { UserDeletionHandler } from '#modules/accounts/index.ts'
import { deleteGrantsUnscoped } from '#modules/organizations/index.ts'
import { deleteCollectionsOfUnscoped, handOverCollectionsUnscoped } from '../queries/collections.ts'
import { collectionResource } from './get-collection.ts'

export const handOverCollections: UserDeletionHandler = async (tx, { user, heir }) => {
  if (heir) {
    await handOverCollectionsUnscoped(tx, user.id, heir)
    return
  }
  for (const { id } of await deleteCollectionsOfUnscoped(tx, user.id))
    await deleteGrantsUnscoped(tx, { type: collectionResource, id })
}
