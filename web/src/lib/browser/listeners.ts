/** Tells React about changes of a value outside of it; `subscribe` is for `useSyncExternalStore`. */
export function createListeners() {
  const listeners = new Set<() => void>()
  return {
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    tell: () => {
      for (const listener of listeners) listener()
    },
  }
}
