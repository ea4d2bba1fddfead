/** What happens to the database's machines, and for how long nothing else did. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pulse } from '../pulse.ts'
import { say } from '../say.ts'
import type { Database } from './database.ts'
import type { Machine } from './machine.ts'

export interface Scene {
  database: Database
  /** What is accepted, and what runs do. */
  pulses: Readonly<Record<string, Pulse>>
}

/** Between two disturbances, and before the first. */
export const quietMs = 5_000
/** Work goes on within this time, whatever happens. */
const limitMs = 30_000

interface Disturbance {
  what: string
  /** Who loses which role by it. */
  machine: Machine
  role: 'leader' | 'sync_standby'
  begin(): Promise<void> | void
}

/** Disturbs, waits until another machine has the role and work goes on, and returns what paused for too long. */
const measure = async ({ database, pulses }: Scene, { what, machine, role, begin }: Disturbance): Promise<string[]> => {
  await sleep(quietMs)
  // Otherwise nobody may take over.
  await database.standby()
  const atMs = performance.now()
  say(what)
  await begin()
  await database.hasOther(role, machine)
  await Promise.all(Object.values(pulses).map((pulse) => pulse.next(2 * limitMs)))
  const pauses = Object.entries(pulses).map(([name, pulse]) => ({ name, ms: pulse.longestPauseSince(atMs) }))
  say(`  no ${pauses.map(({ name, ms }) => `${name} for ${(ms / 1000).toFixed(1)} s`).join(', ')}`)
  return pauses.flatMap(({ name, ms }) => (ms > limitMs ? [`${name}: ${what}`] : []))
}

const comeBack = async ({ database }: Scene, machine: Machine): Promise<void> => {
  await machine.startEtcd()
  await machine.startPatroni()
  await database.follows(machine)
  say(`  ${machine.name} is back as a replica`)
}

export const primaryDies = async (scene: Scene): Promise<string[]> => {
  const machine = await scene.database.primary()
  const what = `${machine.name}, the primary, dies`
  const late = await measure(scene, { what, machine, role: 'leader', begin: machine.die })
  await comeBack(scene, machine)
  return late
}

export const standbyDies = async (scene: Scene): Promise<string[]> => {
  const machine = await scene.database.standby()
  const what = `${machine.name}, the synchronous standby, dies`
  const late = await measure(scene, { what, machine, role: 'sync_standby', begin: machine.die })
  await comeBack(scene, machine)
  return late
}

export const switchOver = async (scene: Scene): Promise<string[]> => {
  const machine = await scene.database.primary()
  const what = `a planned switchover from ${machine.name}`
  const late = await measure(scene, { what, machine, role: 'leader', begin: scene.database.switchOver })
  await scene.database.follows(machine)
  return late
}

/** Until another one is the primary. */
export const primaryFreezes = async (scene: Scene): Promise<string[]> => {
  const machine = await scene.database.primary()
  const what = `${machine.name}, the primary, freezes`
  const late = await measure(scene, { what, machine, role: 'leader', begin: machine.freeze })
  machine.thaw()
  await scene.database.follows(machine)
  say(`  ${machine.name} goes on, and is a replica`)
  return late
}
