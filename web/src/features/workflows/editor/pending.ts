/** Fields with text that hasn't been applied yet: leaving the page would lose it. */
import { useEffect } from 'react'

const pending = new Set<symbol>()

export const hasPending = (): boolean => pending.size > 0

export function usePending(isPending: boolean) {
  useEffect(() => {
    if (!isPending) return
    const own = Symbol('pending')
    pending.add(own)
    return () => {
      pending.delete(own)
    }
  }, [isPending])
}
