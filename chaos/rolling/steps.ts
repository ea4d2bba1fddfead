/** Steps under load: one after the other, and then everything is held against the tables. */
import { setTimeout as sleep } from 'node:timers/promises'
import { say } from '../say.ts'
import { findPauses } from '../traffic/pauses.ts'
import type { Traffic } from '../traffic/traffic.ts'

const longestPauseMs = 30_000
/** What a step leaves under way fails by then. */
const settleMs = 3000

/** Where none may fail, each request that does is a breach, and so is a long pause. */
export interface Step {
  what: string
  mayFail?: boolean
  take(): Promise<void>
}

interface Steps {
  steps: readonly Step[]
  /** Whether all work comes to an end, after nothing more is sent. */
  rest(): Promise<boolean>
}

/** By promise, what breaks it. */
export const underLoad = async (traffic: Traffic, { steps, rest }: Steps): Promise<Map<string, unknown[]>> => {
  const { failures, pulses } = traffic
  const lost: string[] = []
  const paused: string[] = []
  for (const { what, mayFail = false, take } of steps) {
    const before = failures.length
    const startedMs = performance.now()
    await take()
    const tookMs = performance.now() - startedMs
    await sleep(settleMs)
    const failed = failures.slice(before)
    say(`${what}: ${(tookMs / 1000).toFixed(1)} s, ${failed.length} requests failed`)
    const { lines, late } = findPauses(pulses, startedMs, longestPauseMs)
    for (const line of lines) say(`  ${line}`)
    if (mayFail) continue
    for (const why of failed) say(`  ${why}`)
    lost.push(...failed.map((why) => `${what}: ${why}`))
    paused.push(...late.map((line) => `${what}: ${line}`))
  }
  const sums = await traffic.end()
  const isResting = await rest()
  for (const line of sums) say(line)
  const found = await traffic.check()
  found.set('a request that failed though something was only replaced', lost)
  found.set('P3: work that does not come to rest', isResting ? [] : ['runs, or what is to be dispatched'])
  return found.set(`a pause of more than ${longestPauseMs / 1000} s though something was only replaced`, paused)
}
