/** Upstream: the native API of local model runtimes. It skips the pipeline, but no check. */
import type { Module } from '#kernel/kernel.ts'
import type { Completions } from '#modules/completions/index.ts'
import type { Models } from '#modules/models/index.ts'
import { maintenanceRoutes } from './routes/maintenance.ts'
import { modelRoutes } from './routes/models.ts'

export interface UpstreamNeeds {
  models: Models
  completions: Pick<Completions, 'isFiltered'>
}

export const createUpstream = ({ models, completions }: UpstreamNeeds): Module => ({
  routes: [...modelRoutes({ models, isFiltered: completions.isFiltered }), ...maintenanceRoutes(models)],
})
