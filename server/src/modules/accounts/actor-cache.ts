/**
 * Remembers for a few seconds which actor a token stands for, keyed by the hash of the whole token. A change to a
 * principal drops its entries on every node by signal; the short life bounds what a lost signal could cost (P7: 5 s).
 */
import { createHash } from 'node:crypto'
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

const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64')

export const createActorCache = (clock: Clock): ActorCache => {
  const entries = new Map<string, Entry>()
  const byPrincipal = new Map<string, Set<string>>()

  const drop = (hash: string): void => {
    const entry = entries.get(hash)
    if (!entry) return
    entries.delete(hash)
    const hashes = byPrincipal.get(entry.actor.id)
    hashes?.delete(hash)
    if (hashes?.size === 0) byPrincipal.delete(entry.actor.id)
  }
  const dropOldest = (): void => {
    const oldest = entries.keys().next()
    if (!oldest.done) drop(oldest.value)
  }

  return {
    find: (token) => {
      const hash = hashOf(token)
      const entry = entries.get(hash)
      if (!entry) return undefined
      if (clock.now().getTime() < entry.until) return entry.actor
      drop(hash)
      return undefined
    },
    remember: (token, actor) => {
      const hash = hashOf(token)
      drop(hash)
      if (entries.size >= capacity) dropOldest()
      const end = actor.credential.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY
      entries.set(hash, { actor, until: Math.min(clock.now().getTime() + lifeMs, end) })
      const hashes = byPrincipal.get(actor.id) ?? new Set()
      byPrincipal.set(actor.id, hashes.add(hash))
    },
    forget: (principalId) => {
      if (principalId === undefined) {
        entries.clear()
        byPrincipal.clear()
        return
      }
      for (const hash of [...(byPrincipal.get(principalId) ?? [])]) drop(hash)
    },
  }
}
