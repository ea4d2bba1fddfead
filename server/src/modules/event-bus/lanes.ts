/** Lanes: dispatches of different lanes run side by side. All events of a scope have the same one. As `dispatch_lane` in SQL. */
import { instanceScope } from '#kernel/http/scope.ts'

/** Of events of the whole instance, which concern every scope. */
export const instanceLane = 16

export const laneOf = (scopeId: string): number =>
  scopeId === instanceScope ? instanceLane : Number.parseInt(scopeId.slice(-1), 16)

export const lanesOf = (scopeIds: Iterable<string>): number[] => [...new Set([...scopeIds].map(laneOf))]
