/** The selected fields after one is pressed, and after it is let go where it was. Pure. */

/** Shift adds and removes; a press on one of several selected keeps them all, to move them together. */
export const keysAfterPress = (selected: ReadonlySet<string>, key: string, isShift: boolean): ReadonlySet<string> => {
  if (!isShift) return selected.has(key) ? selected : new Set([key])
  const next = new Set(selected)
  if (!next.delete(key)) next.add(key)
  return next
}

/** Nothing was dragged: it was a click, which means this one. */
export const keysAfterClick = (selected: ReadonlySet<string>, key: string, isShift: boolean): ReadonlySet<string> =>
  isShift ? selected : new Set([key])
