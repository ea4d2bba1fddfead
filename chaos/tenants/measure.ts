/** Measures what a victim sees, at a fixed rate: one that is held up doesn't ask less often. */
import { setTimeout as sleep } from 'node:timers/promises'
import { gaveUp, type Sample } from './judge.ts'

/** After this a person has given up. */
const patienceMs = 20_000

export interface Victim {
  name: string
  everyMs: number
  /** Does it once; throws a sentence when it fails. */
  probe(): Promise<void>
  /** Makes ready what so many probes need. */
  prepare?(probes: number): Promise<void>
}

const sampleOf = async (victim: Victim): Promise<Sample> => {
  const startedMs = performance.now()
  const over = new AbortController()
  const patience = sleep(patienceMs, gaveUp, { signal: over.signal }).catch(() => undefined)
  const problem = await Promise.race([victim.probe().then(() => undefined, String), patience])
  over.abort()
  return { ms: performance.now() - startedMs, ...(problem !== undefined && { problem }) }
}

/** Begins a probe of each victim every so often until the time is over, and waits for the last ones. */
export const measure = async (victims: readonly Victim[], forMs: number): Promise<Map<string, Sample[]>> => {
  const each = victims.map(async (victim): Promise<[string, Sample[]]> => {
    const samples: Promise<Sample>[] = []
    const startedMs = performance.now()
    while (performance.now() - startedMs < forMs) {
      samples.push(sampleOf(victim))
      await sleep(Math.max(0, startedMs + samples.length * victim.everyMs - performance.now()))
    }
    return [victim.name, await Promise.all(samples)]
  })
  return new Map(await Promise.all(each))
}
