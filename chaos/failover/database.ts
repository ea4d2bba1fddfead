/** Three database machines with Patroni, and HAProxy before them, as `deploy/ha` has them. */
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createPool } from '../../server/src/kernel/db/database.ts'
import { freePort } from '../../server/test/peers/free-port.ts'
import { addressOf, environment, haproxyConfig } from './configuration.ts'
import { createMachine, type Machine } from './machine.ts'
import { kill, programs, startProgram, user } from './programs.ts'

interface Member {
  name: string
  role: string
  state: string
}

export interface Database {
  /** Through HAProxy. */
  url: string
  /** Of the superuser, for any machine. */
  superuser: string
  machines: readonly Machine[]
  /** The machine of the primary. */
  primary(): Promise<Machine>
  /** Resolves once the machine follows the primary closely. */
  follows(machine: Machine): Promise<void>
  /** The machine of the synchronous standby, once there is one. */
  standby(): Promise<Machine>
  /** Resolves once another machine has the role. */
  hasOther(role: 'leader' | 'sync_standby', than: Machine): Promise<void>
  /** As `patronictl switchover` does. */
  switchOver(): Promise<void>
  stop(): Promise<void>
}

const numbers = [1, 2, 3]
const patienceMs = 90_000
const password = 'for-chaos-only'

const until = async (what: string, isTrue: () => Promise<boolean>): Promise<void> => {
  const startedMs = performance.now()
  while (!(await isTrue().catch(() => false))) {
    if (performance.now() - startedMs > patienceMs) throw new Error(`waited in vain for ${what}`)
    await sleep(250)
  }
}

/** Everything that the machines print goes into files in `logs`. */
export const startDatabase = async (logs: string): Promise<Database> => {
  // Machines of one suite need the same ports, and another suite may run beside it.
  const network = `127.${50 + (process.pid % 200)}.${(process.pid >> 8) % 250}.`
  // A socket's path may have 107 characters.
  const folder = await mkdtemp(join(tmpdir(), 'ha-'))
  await chmod(folder, 0o711)
  const places = numbers.map((number) => ({ number, network, folder: join(folder, `db${number}`) }))
  const repository = join(folder, 'backups')
  await mkdir(repository)
  const machines = await Promise.all(places.map((place) => createMachine(place, { logs, repository })))
  if (user.uid !== undefined && user.gid !== undefined)
    for (const each of [folder, repository]) await chown(each, user.uid, user.gid)
  const env = environment('patroni_env.conf', { number: 1, network, folder })

  const ask = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const asked = numbers.map((number) =>
      fetch(`http://${addressOf({ network, number })}:8008${path}`, { signal: AbortSignal.timeout(2_000), ...init }),
    )
    return Promise.any(asked)
  }
  const members = async (): Promise<Member[]> =>
    ((await (await ask('/cluster')).json()) as { members: Member[] }).members
  const nameOf = async (role: string) =>
    (await members()).find((member) => member.role === role && /running|streaming/.test(member.state))?.name
  const machineOf = async (role: string): Promise<Machine> => {
    const name = await nameOf(role)
    const machine = machines.find((one) => one.name === name)
    if (!machine) throw new Error(`there is no ${role}`)
    return machine
  }
  const primary = () => machineOf('leader')
  const hasReplicas = (count: number) =>
    until(`${count} replicas`, async () => {
      const replicas = (await members()).filter(
        ({ role, state }) => role !== 'leader' && /running|streaming/.test(state),
      )
      return replicas.length >= count && replicas.some(({ role }) => role === 'sync_standby')
    })

  const stopMachines = async (): Promise<void> => {
    await Promise.all(machines.map((machine) => machine.die()))
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  const bringUp = async (): Promise<void> => {
    for (const machine of machines) await machine.startEtcd()
    const [first, ...others] = machines
    await first?.startPatroni()
    await until('the first primary', async () => (await nameOf('leader')) !== undefined)
    for (const machine of others) await machine.startPatroni()
    await makeDatabase((await primary()).address, env)
    await hasReplicas(2)
  }
  try {
    await bringUp()
  } catch (problem) {
    await stopMachines()
    throw problem
  }
  const port = await freePort()
  const file = join(folder, 'haproxy.cfg')
  await writeFile(file, haproxyConfig(network, port))
  const haproxy = await startProgram(programs.haproxy, {
    args: ['-db', '-f', file],
    logFile: join(logs, 'haproxy.log'),
  })

  const switchOver = async (): Promise<void> => {
    const { name: leader, address } = await primary()
    const login = btoa(`${env.PATRONI_RESTAPI_USERNAME}:${env.PATRONI_RESTAPI_PASSWORD}`)
    const reply = await fetch(`http://${address}:8008/switchover`, {
      method: 'POST',
      headers: { authorization: `Basic ${login}` },
      body: JSON.stringify({ leader }),
    })
    if (!reply.ok) throw new Error(`the switchover was refused: ${await reply.text()}`)
  }
  return {
    superuser: superuserOf(env),
    url: `postgres://chancery:${password}@127.0.0.1:${port}/chancery`,
    machines,
    primary,
    follows: ({ name, address }) =>
      until(`${name} as a replica`, async () => (await fetch(`http://${address}:8008/replica?lag=1MB`)).ok),
    standby: async () => {
      await until('a synchronous standby', async () => (await nameOf('sync_standby')) !== undefined)
      return machineOf('sync_standby')
    },
    hasOther: (role, than) =>
      until(`another ${role}`, async () => ![than.name, undefined].includes(await nameOf(role))),
    switchOver,
    stop: async () => {
      await kill(haproxy)
      await stopMachines()
    },
  }
}

const superuserOf = (env: Record<string, string>): string =>
  `${env.PATRONI_SUPERUSER_USERNAME}:${env.PATRONI_SUPERUSER_PASSWORD}`

const makeDatabase = async (host: string, env: Record<string, string>): Promise<void> => {
  const pool = createPool({ connectionString: `postgres://${superuserOf(env)}@${host}/postgres`, max: 1 })
  await pool.query(`create role chancery login password '${password}'`)
  await pool.query(`alter role chancery set statement_timeout = '60s'`)
  await pool.query(`alter role chancery set idle_in_transaction_session_timeout = '60s'`)
  await pool.query('create database chancery owner chancery')
  await pool.end()
}
