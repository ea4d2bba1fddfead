/** A server of `supervisor.test.ts` without an app: it is ready while the folder that it gets as its database holds no `wait`. */
import { appendFileSync, existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { joinMachine } from '#kernel/machine/index.ts'

const { orders, onStop, sayReady } = joinMachine()
onStop(() => process.exit(0))
const { databaseUrl: folder } = await orders
appendFileSync(`${folder}/started`, `${process.pid}\n`)
while (existsSync(`${folder}/wait`)) await sleep(10)
appendFileSync(`${folder}/ready`, `${process.pid}\n`)
sayReady({ address: '', isSetUp: true })
