/** A worker process made to be killed: it takes one job, says so, and never ends it. */
import { createPool } from '#kernel/db/database.ts'
import { createJobs } from '#kernel/jobs/jobs.ts'
import { createLog } from '#kernel/log.ts'
import { createMetrics } from '#kernel/metrics/index.ts'
import { createTasks } from '#kernel/tasks.ts'
import { recordingJob } from './recording-job.ts'

const [url = ''] = process.argv.slice(2)
const { job } = recordingJob('greet', {
  handle: async () => {
    process.stdout.write('taken\n')
    await new Promise(() => undefined)
  },
})
const log = createLog('silent')
const jobs = createJobs({
  pool: createPool({ connectionString: url, max: 3 }),
  log,
  tasks: createTasks(log),
  metrics: createMetrics(log),
  role: 'worker',
})
jobs.register(job)
await jobs.start()
