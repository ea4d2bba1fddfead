import type { Db } from '#kernel/db/database.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { Kernel } from '#kernel/kernel.ts'
import type { SharedCopy } from '#kernel/shared-copy.ts'
import type { GroupsOf } from '#modules/organizations/index.ts'
import type { UsageState } from './usage-state.ts'

export interface UsageContext extends Kernel {
  state: UsageState
  /** Changes limits on every node. */
  limitsCopy: SharedCopy
  groupsOf: GroupsOf
  requireWritable(db: Db, actor: Pick<Actor, 'organizationId'>): Promise<void>
}
