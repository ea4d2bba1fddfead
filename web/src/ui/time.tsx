/** A moment in words, with the exact one on hover. Words age, so they are said anew each half minute. */
import { useSyncExternalStore } from 'react'
import { sayExact, sayRelative } from '#lib/times.ts'

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

/** `at`: ISO 8601 as the camelCase areas say it, or Unix seconds as `/api/v1` does. */
export function Time({ at }: { at: string | number }) {
  useSyncExternalStore(subscribe, () => now)
  const moment = new Date(typeof at === 'number' ? at * 1000 : at)
  return (
    <time dateTime={moment.toISOString()} title={sayExact(moment)} className="whitespace-nowrap">
      {sayRelative(moment, new Date())}
    </time>
  )
}
