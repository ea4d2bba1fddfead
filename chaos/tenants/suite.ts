/**
 * `npm run chaos -- tenants [--only <road>,…]`: one tenant attacks two nodes by each road in turn, and people of other
 * tenants must not notice: at most twice their quiet median and the noise of the machine, and nothing lost.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { createAccounts, somebodyAt } from '../accounts.ts'
import { prepareAttack } from './attack.ts'
import { figuresOf, findLost, findSlow } from './judge.ts'
import { compareReadings, describeBusy } from './loops.ts'
import { describeShare, tooBusyShare, watchMachine } from './machine.ts'
import { measure, type Victim } from './measure.ts'
import { describeRoad, describeVictim } from './report.ts'
import type { Road, VictimName } from './roads/road.ts'
import { roads } from './roads.ts'
import { openScene, type Scene } from './scene.ts'
import { createVictims } from './victims.ts'

const quietMs = 6_000
const attackMs = 15_000
/** The attack is under way when it is measured. */
const startMs = 1_000
/** For what an attacker has under way to end with their account. */
const restMs = 30_000
/** Of the machine, for nodes with nothing to do. */
const idleShare = 0.1
const everyRoad: readonly VictimName[] = ['run', 'chat', 'pages']

const say = (text: string): void => void process.stdout.write(`${text}\n`)

/** Deactivates the attackers; what they have under way must end with them. */
const endAttackers = async ({ cluster, addresses, ownerHeaders }: Scene, attackers: string[]): Promise<string[]> => {
  const owner = somebodyAt(addresses(), '10.1.0.2', ownerHeaders)
  for (const id of attackers) await owner.patch(`/api/admin/users/${id}`, { status: 'DEACTIVATED' })
  const startedMs = performance.now()
  for (;;) {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from runs where status in ('queued', 'running') and scope_id in (
        select coalesce(organization_id, id) from users where id = any(${attackers}::uuid[]))`.execute(cluster.db)
    const count = rows[0]?.count ?? 0
    if (count === 0) break
    if (performance.now() - startedMs > restMs) return [`${count} runs go on though their person is deactivated`]
    await sleep(500)
  }
  await untilIdle()
  return []
}

/** What the last attack left to do, such as processes that end, is not measured as the next one's quiet. */
const untilIdle = async (): Promise<void> => {
  const machine = watchMachine()
  for (let second = 0; second < restMs / 1000; second += 1) {
    await sleep(1000)
    if (machine().own < idleShare) return
  }
}

interface Result {
  /** What a victim suffered, or the attacker got. */
  problems: string[]
  /** Slow victims on a machine that was busy with something else: it has to be seen again. */
  unclear: string[]
}

const attackRoad = async (scene: Scene, road: Road, victims: readonly Victim[], number: number): Promise<Result> => {
  for (const victim of victims) await victim.prepare?.((quietMs + startMs + attackMs) / victim.everyMs + 5)
  const { model, hostile, ownerHeaders } = scene
  const attack = await prepareAttack({
    roadName: road.name,
    addresses: scene.addresses(),
    databaseUrl: scene.cluster.databaseUrl,
    model,
    hostile,
    ownerHeaders,
    network: `10.60.${number}`,
  })
  const machine = watchMachine()
  const quiet = await measure(victims, quietMs)
  const quietShare = machine()
  const before = await scene.read()
  const startedMs = performance.now()
  attack.begin()
  await sleep(startMs)
  const attacked = await measure(victims, attackMs)
  const after = await scene.read()
  const seconds = (performance.now() - startedMs) / 1000
  const share = machine()
  const { answers, breaches, attackers } = await attack.end()

  const rows = victims.map(({ name }) => {
    const [calm, under] = [figuresOf(quiet.get(name) ?? []), figuresOf(attacked.get(name) ?? [])]
    return { name, calm, under }
  })
  const busy = before.map((reading, at) => compareReadings(reading, after[at] ?? reading, seconds))
  for (const { name, calm, under } of rows) say(describeVictim(name, calm, under))
  for (const [at, one] of busy.entries()) say(`  node ${at}  ${describeBusy(one)}`)
  say(`  machine when quiet: ${describeShare(quietShare)}; under attack: ${describeShare(share)}`)
  say(`  the attacker got ${answers.join(', ') || 'nothing'}`)
  const slow = rows.flatMap(({ name, calm, under }) => findSlow(name, calm, under))
  const isClear = Math.max(share.others, quietShare.others) <= tooBusyShare
  const problems = [
    ...(isClear ? slow : []),
    ...rows.flatMap(({ name, under }) => findLost(name, under)),
    ...busy.flatMap(({ hasRestarted }, at) => (hasRestarted ? [`node ${at} died`] : [])),
    ...breaches,
    ...(await endAttackers(scene, attackers)),
  ]
  const unclear = isClear ? [] : slow
  for (const problem of problems) say(`  BROKEN   ${problem}`)
  for (const problem of unclear) say(`  UNCLEAR  ${problem}, on a machine that is busy with something else`)
  return { problems, unclear }
}

const runRoads = async (chosen: readonly Road[]): Promise<boolean> => {
  const scene = await openScene()
  const broken: string[] = []
  const unclear: string[] = []
  try {
    const newAccount = createAccounts({ addresses: scene.addresses(), db: scene.cluster.db, network: '10.50.0' })
    const victimOf = createVictims(newAccount, { addresses: scene.addresses(), linkTo: scene.linkTo })
    for (const [at, road] of chosen.entries()) {
      say(`\n${describeRoad(road)}`)
      const victims: Victim[] = []
      for (const name of [...everyRoad, ...(road.victims ?? [])]) victims.push(await victimOf(name))
      // The first probes of a fresh server are those of its compiler.
      if (at === 0) await measure(victims, quietMs)
      const found = await attackRoad(scene, road, victims, at + 1)
      if (found.problems.length > 0) broken.push(road.name)
      else if (found.unclear.length > 0) unclear.push(road.name)
    }
  } finally {
    await scene.stop()
    say(`\nWhat the nodes logged: ${scene.cluster.logs}`)
  }
  if (broken.length > 0) say(`BROKEN on ${broken.join(', ')}`)
  if (unclear.length > 0) say(`UNCLEAR, to be run again on a quiet machine: --only ${unclear.join(',')}`)
  say(`kept on ${chosen.length - broken.length - unclear.length} of ${chosen.length} roads`)
  return broken.length + unclear.length === 0
}

export const usage = `tenants [--only <road>,…]   roads: ${roads.map(({ name }) => name).join(', ')}`

/** Whether it was seen that no victim notices anything; undefined when the arguments make no sense. */
export const run = async (args: string[]): Promise<boolean | undefined> => {
  const { values } = parseArgs({ args, options: { only: { type: 'string' } } })
  const names = values.only?.split(',') ?? roads.map(({ name }) => name)
  const chosen = names.flatMap((name) => roads.find((road) => road.name === name) ?? [])
  return chosen.length === names.length ? runRoads(chosen) : undefined
}
