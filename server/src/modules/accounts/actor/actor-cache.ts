/**
 * Remembers for a few seconds which actor a token belongs to, keyed by the whole token, never by a part of it. A change to a
 * principal drops its entries on every node by signal; the short life bounds what a lost signal could cost (P7: 5 s).
 *
 * A principal that was forgotten is not remembered again for the same few seconds: a lookup that began before the change
 * was committed may end after it, and would bring the old actor back.
 */
import type { Clock } from '#kernel/clock.ts'
import type { Actor } from '#kernel/http/actor.ts'

const lifeMs = 4000
/** Longer than a lookup takes. Shorter than a life, since changes that concern everybody come often on a large platform. */
const lookupMs = 1000
const capacity = 20_000
/** The most recently changed principals in the list before those whose time is over are removed. */
const changedCapacity = 1000

interface Entry {
  actor: Actor
  until: number
}

export interface ActorCache {
  find(token: string): Actor | undefined
  remember(token: string, actor: Actor): void
  /** Undefined forgets everybody. May be called before the change is committed. */
  forget(principalId: string | undefined): void
}

export const createActorCache = (clock: Clock): ActorCache => {
  const entries = new Map<string, Entry>()
  const byPrincipal = new Map<string, Set<string>>()
  const recentlyChanged = new Map<string, number>()
  let allChangedUntil = 0

  const isRecentlyChanged = (principalId: string, now: number): boolean =>
    now < Math.max(allChangedUntil, recentlyChanged.get(principalId) ?? 0)
  const noteChange = (principalId: string, now: number): void => {
    recentlyChanged.set(principalId, now + lifeMs)
    if (recentlyChanged.size <= changedCapacity) return
    for (const [id, until] of recentlyChanged) if (until <= now) recentlyChanged.delete(id)
  }
  const drop = (token: string): void => {
    const entry = entries.get(token)
    if (!entry) return
    entries.delete(token)
    const tokens = byPrincipal.get(entry.actor.id)
    tokens?.delete(token)
    if (tokens?.size === 0) byPrincipal.delete(entry.actor.id)
  }
  const dropOldest = (): void => {
    const oldest = entries.keys().next()
    if (!oldest.done) drop(oldest.value)
  }

  return {
    find: (token) => {
      const entry = entries.get(token)
      if (!entry) return undefined
      if (clock.now().getTime() < entry.until) return entry.actor
      drop(token)
      return undefined
    },
    remember: (token, actor) => {
      drop(token)
      const now = clock.now().getTime()
      if (isRecentlyChanged(actor.id, now)) return
      if (entries.size >= capacity) dropOldest()
      const changesAt = [actor.credential.expiresAt, actor.isReadOnly ? null : actor.readOnlyFrom]
        .flatMap((time) => time?.getTime() ?? [])
        .concat(now + lifeMs)
      entries.set(token, { actor, until: Math.min(...changesAt) })
      const tokens = byPrincipal.get(actor.id) ?? new Set()
      byPrincipal.set(actor.id, tokens.add(token))
    },
    forget: (principalId) => {
      const now = clock.now().getTime()
      if (principalId === undefined) {
        entries.clear()
        byPrincipal.clear()
        allChangedUntil = now + lookupMs
        return
      }
      noteChange(principalId, now)
      for (const token of [...(byPrincipal.get(principalId) ?? [])]) drop(token)
    },
  }
}
