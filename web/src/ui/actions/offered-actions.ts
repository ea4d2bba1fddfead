/** The actions on the selected rows of the page's table. The command palette offers them, too. */
import type { LucideIcon } from 'lucide-react'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { createListeners } from '#lib/browser/listeners.ts'

export interface OfferedAction {
  label: string
  icon: LucideIcon
  run: () => void
}

/** By table: a page may have several. */
const registry = new Map<symbol, readonly OfferedAction[]>()
let offered: readonly OfferedAction[] = []
const { subscribe, tell } = createListeners()

function change(table: symbol, actions: readonly OfferedAction[]) {
  if (actions.length > 0) registry.set(table, actions)
  else if (!registry.delete(table)) return
  offered = [...registry.values()].flat()
  tell()
}

/** Offered until the next rendering says something else. */
export function useOffer(actions: readonly OfferedAction[]) {
  const table = useRef(Symbol('table')).current
  useEffect(() => change(table, actions))
  useEffect(() => () => change(table, []), [table])
}

export const useOfferedActions = () => useSyncExternalStore(subscribe, () => offered)
