/** A worker process made to be killed: it takes one job, says so, and never ends it. */
import { workJob } from './job-process.ts'
import { recordingJob } from './recording-job.ts'

const { job } = recordingJob('greet', {
  handle: async () => {
    process.stdout.write('taken\n')
    await new Promise(() => undefined)
  },
})
await workJob(job)
