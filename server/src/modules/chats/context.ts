import type { Audit } from '#kernel/audit/audit.ts'
import type { Blobs } from '#kernel/blobs/index.ts'
import type { Clock } from '#kernel/clock.ts'
import type { Config } from '#kernel/config/config.ts'
import type { Db } from '#kernel/db/database.ts'
import type { Search } from '#kernel/db/searches.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { Ids } from '#kernel/ids.ts'
import type { Files } from '#modules/files/index.ts'
import type { Organizations } from '#modules/organizations/index.ts'
import type { Realtime } from '#modules/realtime/index.ts'
import type { MessageRef } from './interface.ts'

export interface ChatsContext {
  config: Pick<Config, 'SVC_REQUIRE_VERIFIED_EMAIL'>
  db: Db
  search: Search
  clock: Clock
  ids: Ids
  audit: Audit
  blobs: Pick<Blobs, 'get'>
  files: Pick<Files, 'listUnscoped' | 'storeImages'>
  organizations: Pick<Organizations, 'findUnscoped'>
  /** The public address of this server. */
  externalUrl: string
  realtime: Pick<Realtime, 'emit' | 'isListening'>
  /** Throws `trial_expired` where the caller's organization is read-only. */
  requireWritable(db: Db, actor: Pick<Actor, 'organizationId'>): Promise<void>
  /** Called before chats are deleted. */
  deleteListeners: ((chatIds: readonly string[]) => void)[]
  /** See `onOutsideText`. */
  outsideTextHandlers: ((ref: MessageRef, text: string) => boolean)[]
}
