/** A job that remembers its runs. */
import { z } from 'zod'
import { defineJob, type JobContext } from '#kernel/jobs/jobs.ts'

const Greeting = z.object({ name: z.string() })
export type Greeting = z.infer<typeof Greeting>

interface Run {
  data: Greeting
  context: JobContext
}

/** Retries follow at once unless the spec says otherwise. */
export const recordingJob = (name: string, spec: Partial<Parameters<typeof defineJob<Greeting>>[0]> = {}) => {
  const runs: Run[] = []
  const job = defineJob<Greeting>({
    name,
    data: Greeting,
    retryDelaySec: 0,
    retryBackoff: false,
    ...spec,
    handle: async (data, context) => {
      runs.push({ data, context })
      await spec.handle?.(data, context)
    },
  })
  return { job, runs }
}
