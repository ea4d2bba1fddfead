/** Upstream: the native API of local model runtimes. It skips the pipeline, but no check. */
import { pingEveryMs } from '#kernel/http/replies/early-head.ts'
import type { Kernel, Module } from '#kernel/kernel.ts'
import type { Completions } from '#modules/completions/index.ts'
import type { Models } from '#modules/models/index.ts'
import { maintenanceRoutes } from './routes/maintenance.ts'
import { modelRoutes } from './routes/models.ts'

export interface UpstreamNeeds {
  kernel: Pick<Kernel, 'clock'>
  models: Models
  completions: Pick<Completions, 'isFiltered'>
  /** For tests. */
  silenceMs?: number | undefined
}

export const createUpstream = ({
  kernel: { clock },
  models,
  completions: { isFiltered },
  silenceMs = pingEveryMs,
}: UpstreamNeeds): Module => ({
  routes: [...modelRoutes({ models, clock, silenceMs, isFiltered }), ...maintenanceRoutes(models)],
})
