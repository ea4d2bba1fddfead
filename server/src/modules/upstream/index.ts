/** Upstream: local model runtimes by their own API, past the pipeline but through every check. */
import type { Module } from '#kernel/kernel.ts'
import type { Models } from '#modules/models/index.ts'
import { modelRoutes } from './routes/models.ts'
import { upkeepRoutes } from './routes/upkeep.ts'

export const createUpstream = ({ models }: { models: Models }): Module => ({
  routes: [...modelRoutes(models), ...upkeepRoutes(models)],
})
