/** Places that all servers of a machine share: the supervisor counts them where there are several. */

import type { Machine } from '../process/machine.ts'
import { createPlaces, type PlaceRule, type Places } from './places.ts'

type FixedRule = PlaceRule & { perTenant: number }

/** `name` is what there are few places for, the same in every server. */
export const createMachinePlaces = ({ siblings }: Machine, name: string, rule: FixedRule): Places => {
  if (!siblings) return createPlaces(rule)
  const { most, perTenant, spare = 0 } = rule
  // Infinity can't be sent.
  const place = { name, most, perTenant: Math.min(perTenant, most), spare }
  return { take: (tenant, begin) => siblings.takePlace({ ...place, tenant }, begin) }
}
