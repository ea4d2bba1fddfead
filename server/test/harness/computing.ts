/** Computing threads that all apps of a test worker share: each takes as long to load as a small test. */
import { type Computing, createCompute } from '#kernel/compute/index.ts'
import { createLog } from '#kernel/log.ts'
import { createMetrics } from '#kernel/metrics/index.ts'

const log = createLog('silent')
const shared = createCompute({ log, metrics: createMetrics(log) }, { idleMs: 600_000 })

/** For one app. The threads end with the worker. */
export const shareComputing = (): Computing => ({ compute: shared.compute, stop: async () => undefined })
