/**
 * A worker process whose greeting of "deadly" kills it, once "patient" is being greeted too if the second argument asks
 * for company. The others do no harm.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { workJob } from './job-process.ts'
import { recordingJob } from './recording-job.ts'

const [, how = '{}'] = process.argv.slice(2)
const { company = false, retryLimit = 60 }: { company?: boolean; retryLimit?: number } = JSON.parse(how)
const patientMs = 1500

const { job, runs } = recordingJob('greet', {
  retryLimit,
  handle: async ({ name }) => {
    if (name === 'patient') await sleep(patientMs)
    if (name !== 'deadly') return
    const isCompanyThere = () => runs.some(({ data }) => data.name === 'patient')
    for (let waited = 0; company && waited < 20 && !isCompanyThere(); waited += 1) await sleep(10)
    process.kill(process.pid, 'SIGKILL')
  },
})
await workJob(job)
