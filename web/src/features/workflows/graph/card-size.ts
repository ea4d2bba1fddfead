/**
 * How large a card is and where its handles sit, known without measuring: the canvas can draw edges to cards that are
 * not on the screen, and the layout can keep them apart.
 */
export const cardWidth = 216
const headHeight = 60
const rowHeight = 24
const markHeight = 26

/** Ways out stand in rows of their own once there is more than the plain one. */
export const hasWayRows = (ways: readonly (string | null)[]): boolean => ways.length > 1 || ways[0] !== null

export const cardHeight = (ways: readonly (string | null)[], hasMark: boolean): number =>
  headHeight + (hasMark ? markHeight : 0) + (hasWayRows(ways) ? ways.length * rowHeight + 6 : 0)

/** The middle of the way in, and of the plain way out where it stands alone. */
export const headMiddle = headHeight / 2

export const wayMiddle = (ways: readonly (string | null)[], place: number, hasMark: boolean): number =>
  hasWayRows(ways) ? headHeight + (hasMark ? markHeight : 0) + place * rowHeight + rowHeight / 2 : headMiddle
