/** A bare pg-boss at its fastest (woken by NOTIFY): each line makes it send a job; the answer has the times. */
import { createInterface } from 'node:readline'
import { PgBoss } from 'pg-boss'

const [connectionString = ''] = process.argv.slice(2)
const queue = 'bench'
const boss = new PgBoss({ connectionString, schema: 'bench_boss', useListenNotify: true })
boss.on('error', () => undefined)
await boss.start()
await boss.createQueue(queue, { notify: true })
let onJob: () => void = () => undefined
await boss.work(queue, async () => onJob())

const sendOne = async (): Promise<{ fromSend: number; fromAnswer: number }> => {
  const begun = new Promise<number>((resolve) => {
    onJob = () => resolve(performance.now())
  })
  const sentAt = performance.now()
  await boss.send(queue, { order: 4711 })
  const answeredAt = performance.now()
  const begunAt = await begun
  return { fromSend: begunAt - sentAt, fromAnswer: begunAt - answeredAt }
}

process.stdout.write('ready\n')
for await (const _line of createInterface({ input: process.stdin }))
  process.stdout.write(`${JSON.stringify(await sendOne())}\n`)
await boss.stop({ graceful: false })
process.exit(0)
