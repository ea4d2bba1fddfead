/**
 * The size of a card and the position of its handles, computed without measuring. This lets the canvas draw edges to
 * cards that are off screen, and the layout avoid overlaps.
 */
export const cardWidth = 216
const headHeight = 60
const rowHeight = 24
const markHeight = 26

/** Outputs get their own rows once there is more than the default one. */
export const hasWayRows = (ways: readonly (string | null)[]): boolean => ways.length > 1 || ways[0] !== null

export const cardHeight = (ways: readonly (string | null)[], hasMark: boolean): number =>
  headHeight + (hasMark ? markHeight : 0) + (hasWayRows(ways) ? ways.length * rowHeight + 6 : 0)

/** The vertical centre of the input handle, and of the default output if it is the only one. */
export const headMiddle = headHeight / 2

export const wayMiddle = (ways: readonly (string | null)[], place: number, hasMark: boolean): number =>
  hasWayRows(ways) ? headHeight + (hasMark ? markHeight : 0) + place * rowHeight + rowHeight / 2 : headMiddle
