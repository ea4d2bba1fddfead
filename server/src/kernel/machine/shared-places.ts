/** Places that the servers of a machine share, in the supervisor. What a server that ends had or waited for is given back. */

import type { PlaceOnMachine } from '../process/machine.ts'
import { createPlaces, type Places } from '../turns/places.ts'

export interface SharedPlaces<Member> {
  take(member: Member, id: number, place: PlaceOnMachine): void
  leave(member: Member, id: number): void
  remove(member: Member): void
}

export const createSharedPlaces = <Member>(begin: (member: Member, id: number) => void): SharedPlaces<Member> => {
  const byRule = new Map<string, Places>()
  const taken = new Map<Member, Map<number, () => void>>()

  /** Servers of another version, while they are replaced, may have another rule: theirs are counted apart. */
  const placesOf = ({ tenant: _tenant, ...rule }: PlaceOnMachine): Places => {
    const key = JSON.stringify(rule)
    const places = byRule.get(key) ?? createPlaces(rule)
    byRule.set(key, places)
    return places
  }
  return {
    take: (member, id, place) => {
      const own = taken.get(member) ?? new Map<number, () => void>()
      taken.set(member, own)
      own.set(
        id,
        placesOf(place).take(place.tenant, () => begin(member, id)),
      )
    },
    leave: (member, id) => {
      const own = taken.get(member)
      own?.get(id)?.()
      own?.delete(id)
    },
    remove: (member) => {
      const own = taken.get(member)
      taken.delete(member)
      for (const leave of own?.values() ?? []) leave()
    },
  }
}
