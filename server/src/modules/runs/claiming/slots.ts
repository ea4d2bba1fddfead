/**
 * How many runs this node works on at a time, and how they are shared among tenants. A run whose calls last longer than a
 * few seconds gives its slot back while they go on: then it is one of the slow ones, which have a limit of their own. Pure.
 */
import { createKeyCounts } from '#kernel/turns/key-counts.ts'

interface Held {
  scopeId: string
  isSlow: boolean
}

export interface Slots {
  begin(id: string, scopeId: string): void
  end(id: string): void
  /** Gives the slot back. False when its tenant has as many slow runs as it may: then the run keeps the slot. */
  rest(id: string): boolean
  /** Something arrived for the run: it has a slot again, beyond the limit if need be. */
  stir(id: string): void
  free(): number
  /** By scope. */
  taken(): ReadonlyMap<string, number>
  /** The most slots of one scope. */
  readonly shared: number
  readonly alone: number
}

/** How many slow runs there may be for each slot, and for how many tenants these are enough. */
const slowPerSlot = 5
const slowTenants = 4

export const createSlots = (atOnce: number): Slots => {
  const held = new Map<string, Held>()
  const taken = createKeyCounts()
  const slow = createKeyCounts()

  const add = ({ scopeId, isSlow }: Held, change: 1 | -1): void => (isSlow ? slow : taken).add(scopeId, change)
  const move = (one: Held, isSlow: boolean): void => {
    add(one, -1)
    one.isSlow = isSlow
    add(one, 1)
  }
  const end = (id: string): void => {
    const one = held.get(id)
    if (one && held.delete(id)) add(one, -1)
  }
  return {
    begin: (id, scopeId) => {
      end(id)
      const one = { scopeId, isSlow: false }
      held.set(id, one)
      add(one, 1)
    },
    end,
    rest: (id) => {
      const one = held.get(id)
      if (!one || one.isSlow) return false
      const most = atOnce * slowPerSlot
      if (slow.total >= most || slow.of(one.scopeId) >= most / slowTenants) return false
      move(one, true)
      return true
    },
    stir: (id) => {
      const one = held.get(id)
      if (one?.isSlow) move(one, false)
    },
    free: () => Math.max(0, atOnce - taken.total),
    taken: () => taken.byKey,
    shared: Math.max(1, Math.floor(atOnce / 2)),
    // An eighth is always free for the next tenant.
    alone: Math.max(1, Math.floor((atOnce * 7) / 8)),
  }
}
