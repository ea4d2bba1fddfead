/**
 * The size of a card and the position of its handles, computed without measuring. This lets the canvas draw edges to
 * cards that are off screen, and the layout avoid overlaps.
 */
export const cardWidth = 216
const headHeight = 60
const rowHeight = 24
const markHeight = 26

/** Outputs get their own rows once there is more than the default one. */
export const hasOutputRows = (outputs: readonly (string | null)[]): boolean => outputs.length > 1 || outputs[0] !== null

export const cardHeight = (outputs: readonly (string | null)[], hasMark: boolean): number =>
  headHeight + (hasMark ? markHeight : 0) + (hasOutputRows(outputs) ? outputs.length * rowHeight + 6 : 0)

/** The vertical centre of the input handle, and of the default output if it is the only one. */
export const headMiddle = headHeight / 2

export const outputY = (outputs: readonly (string | null)[], index: number, hasMark: boolean): number =>
  hasOutputRows(outputs) ? headHeight + (hasMark ? markHeight : 0) + index * rowHeight + rowHeight / 2 : headMiddle

/** The Start card has a row of this height for each trigger, up to a limit. */
export const startRowHeight = 44
export const maxStartRows = 4

export const startHeight = (triggers: number): number =>
  headHeight + Math.min(triggers, maxStartRows) * startRowHeight + (triggers > maxStartRows ? rowHeight : 0)
