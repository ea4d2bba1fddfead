/** What the use cases of this module share. */
import type { Clock } from '#kernel/clock.ts'
import type { Db } from '#kernel/db/database.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { Ids } from '#kernel/ids.ts'
import type { Realtime } from '#modules/realtime/index.ts'
import type { MessageRef } from './face.ts'

export interface ChatsContext {
  db: Db
  clock: Clock
  ids: Ids
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
