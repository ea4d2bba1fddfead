/** Lanes: dispatches of different lanes run side by side. All events of a scope have the same one. As `dispatch_lane` in SQL. */
import { instanceScope } from '#kernel/http/scope.ts'

/** Of events of the whole instance, which concern every scope. */
export const instanceLane = 16

export const laneOf = (scopeId: string): number =>
  scopeId === instanceScope ? instanceLane : Number.parseInt(scopeId.slice(-1), 16)

export const lanesOf = (scopeIds: Iterable<string>): number[] => [...new Set([...scopeIds].map(laneOf))]

const allLanes = Array.from({ length: instanceLane + 1 }, (_, lane) => lane)

/** The node that dispatches a lane first; undefined while none is known. In turn, so that all have as many. */
export const nodeOfLane = (lane: number, workers: readonly string[]): string | undefined =>
  workers[lane % workers.length]

export const lanesOfNode = (id: string, workers: readonly string[]): number[] =>
  allLanes.filter((lane) => nodeOfLane(lane, workers) === id)
