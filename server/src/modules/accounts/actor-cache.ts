/**
 * Remembers for a few seconds which actor a token stands for, keyed by the whole token, never by a part of it. A change to a
 * principal drops its entries on every node by signal; the short life bounds what a lost signal could cost (P7: 5 s).
 */
import type { Clock } from '#kernel/clock.ts'
import type { Actor } from '#kernel/http/actor.ts'

const lifeMs = 4000
const capacity = 20_000

interface Entry {
  actor: Actor
  until: number
}

export interface ActorCache {
  find(token: string): Actor | undefined
  remember(token: string, actor: Actor): void
  /** Undefined forgets everybody. */
  forget(principalId: string | undefined): void
}

export const createActorCache = (clock: Clock): ActorCache => {
  const entries = new Map<string, Entry>()
  const byPrincipal = new Map<string, Set<string>>()

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
      if (entries.size >= capacity) dropOldest()
      const now = clock.now().getTime()
      const changesAt = [actor.credential.expiresAt, actor.isReadOnly ? null : actor.readOnlyFrom]
        .flatMap((time) => time?.getTime() ?? [])
        .concat(now + lifeMs)
      entries.set(token, { actor, until: Math.min(...changesAt) })
      const tokens = byPrincipal.get(actor.id) ?? new Set()
      byPrincipal.set(actor.id, tokens.add(token))
    },
    forget: (principalId) => {
      if (principalId === undefined) {
        entries.clear()
        byPrincipal.clear()
        return
      }
      for (const token of [...(byPrincipal.get(principalId) ?? [])]) drop(token)
    },
  }
}
