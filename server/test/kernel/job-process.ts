/** A worker in a process of its own, for scripts that a test starts and kills. */
import { createPool } from '#kernel/db/database.ts'
import type { JobDefinition } from '#kernel/jobs/jobs.ts'
import { createLog } from '#kernel/log.ts'
import { jobsOn } from './jobs-on.ts'

/** Works this one job of the database that the script's first argument names. */
export const workJob = async (job: JobDefinition): Promise<void> => {
  const [connectionString = ''] = process.argv.slice(2)
  const { jobs } = jobsOn(createPool({ connectionString, max: 3 }), { log: createLog('silent'), role: 'worker' })
  jobs.register(job)
  await jobs.start()
}
