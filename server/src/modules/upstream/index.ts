/** Upstream: the native API of local model runtimes. It skips the pipeline, but no check. */
import type { Module } from '#kernel/kernel.ts'
import type { Models } from '#modules/models/index.ts'
import { maintenanceRoutes } from './routes/maintenance.ts'
import { modelRoutes } from './routes/models.ts'

export const createUpstream = ({ models }: { models: Models }): Module => ({
  routes: [...modelRoutes(models), ...maintenanceRoutes(models)],
})
