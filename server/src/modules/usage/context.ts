/** What the use cases of this module share. */
import type { Db } from '#kernel/db/database.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { Kernel } from '#kernel/kernel.ts'
import type { GroupsOf } from '#modules/organizations/index.ts'
import type { Books } from './books.ts'

export interface UsageContext extends Kernel {
  books: Books
  groupsOf: GroupsOf
  requireWritable(db: Db, actor: Pick<Actor, 'organizationId'>): Promise<void>
}
