/** pgbouncer in transaction mode between the nodes and HAProxy, as `deploy/ha` has it. */
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createPool } from '../../server/src/kernel/db/database.ts'
import { freePort } from '../../server/test/peers/free-port.ts'
import { pgbouncerConfig } from './configuration.ts'
import { kill, programs, startProgram } from './programs.ts'

const patienceMs = 20_000

export const startPooler = async (databaseUrl: string, logs: string) => {
  const url = new URL(databaseUrl)
  const folder = await mkdtemp(join(tmpdir(), 'ha-pooler-'))
  await chmod(folder, 0o755)
  const port = await freePort()
  const usersFile = join(folder, 'userlist.txt')
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(usersFile, `"${url.username}" "${url.password}"\n`)
  await writeFile(file, pgbouncerConfig({ port, haproxyPort: Number(url.port), usersFile }))
  const logFile = join(logs, 'pgbouncer.log')
  const pgbouncer = await startProgram(programs.pgbouncer, { args: [file], logFile })
  url.port = String(port)
  const pool = createPool({ connectionString: url.href, max: 1, pooler: 'transaction' })
  const startedMs = performance.now()
  while (!(await pool.query('select 1').catch(() => undefined))) {
    if (performance.now() - startedMs > patienceMs) throw new Error(`pgbouncer does not answer: see ${logFile}`)
    await sleep(100)
  }
  await pool.end()
  return {
    url: url.href,
    stop: async () => {
      await kill(pgbouncer)
      await rm(folder, { recursive: true, force: true })
    },
  }
}
