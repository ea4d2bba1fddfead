/** One road, attacked from a thread of its own, so that what the attacker does costs the victims' clock nothing. */
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { createDb, createPool } from '../../server/src/kernel/db/database.ts'
import type { Reply } from '../../server/test/harness/client.ts'
import { createAccounts, somebodyAt } from '../accounts.ts'
import type { AttackData, AttackReport } from './attack.ts'
import { roads } from './roads.ts'

/** How long calls under way may go on after the attack. */
const leaveMs = 2000

const { roadName, addresses, databaseUrl, model, hostile, ownerHeaders, network } = workerData as AttackData
const port = parentPort as MessagePort
const road = roads.find(({ name }) => name === roadName)
if (!road) throw new Error(`there is no road ${roadName}`)

const pool = createPool({ connectionString: databaseUrl, max: 2 })
const db = createDb(pool)
const newAccount = createAccounts({ addresses, db, network })
const attackers: string[] = []
let answers = new Map<string, number>()
const onReply = ({ status, body }: Reply): void => {
  const answer = status < 400 ? String(status) : `${status} ${body?.code ?? ''}`.trim()
  answers.set(answer, (answers.get(answer) ?? 0) + 1)
}

const attack = await road.prepare({
  addresses,
  db,
  model,
  hostile,
  owner: somebodyAt(addresses, `${network}.250`, ownerHeaders),
  newAttacker: async (options) => {
    const account = await newAccount({ ...options, onReply })
    attackers.push(account.id)
    return account
  },
})
port.postMessage('ready')
await once(port, 'message')
answers = new Map()
const over = new AbortController()
const ended = attack.run(over.signal)
await Promise.race([once(port, 'message'), ended.then(() => new Promise(() => undefined))])
over.abort()
await Promise.race([ended, sleep(leaveMs)])
const report: AttackReport = {
  answers: [...answers].map(([answer, count]) => `${answer} ×${count}`),
  breaches: (await attack.findBreaches?.()) ?? [],
  attackers,
}
port.postMessage(report)
await pool.end()
