/** A relative time with the exact one on hover, updated every half minute. */
import { useSyncExternalStore } from 'react'
import { formatExact, formatRelative } from '#lib/time/times.ts'

const tickMs = 30_000
const listeners = new Set<() => void>()
let now = new Date()
let timer: ReturnType<typeof setInterval> | undefined

function subscribe(listener: () => void) {
  listeners.add(listener)
  timer ??= setInterval(() => {
    now = new Date()
    for (const each of listeners) each()
  }, tickMs)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** `at`: ISO 8601 from the camelCase endpoints, or Unix seconds from `/api/v1`. */
export function Time({ at }: { at: string | number }) {
  useSyncExternalStore(subscribe, () => now)
  const moment = new Date(typeof at === 'number' ? at * 1000 : at)
  return (
    <time dateTime={moment.toISOString()} title={formatExact(moment)} className="whitespace-nowrap">
      {formatRelative(moment, new Date())}
    </time>
  )
}
