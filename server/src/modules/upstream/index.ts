/** Upstream: the native API of local model runtimes. It skips the pipeline, but no check. */
import type { Kernel, Module } from '#kernel/kernel.ts'
import type { Completions } from '#modules/completions/index.ts'
import type { Models } from '#modules/models/index.ts'
import { maintenanceRoutes } from './routes/maintenance.ts'
import { modelRoutes } from './routes/models.ts'

export interface UpstreamNeeds {
  kernel: Pick<Kernel, 'clock'>
  models: Models
  completions: Pick<Completions, 'isFiltered'>
}

export const createUpstream = ({ kernel: { clock }, models, completions }: UpstreamNeeds): Module => ({
  routes: [...modelRoutes({ models, clock, isFiltered: completions.isFiltered }), ...maintenanceRoutes(models)],
})
