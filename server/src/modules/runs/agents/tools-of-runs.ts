/** The tools of a run, without those that start workflows: it would get around the guard against loops. */
import { AppError } from '#kernel/errors.ts'
import type { Tools } from '#modules/tools/index.ts'

/** The source of the tools that start workflows. */
export const workflowToolsId = 'builtin:workflows'

export const toolsOfRuns = <Some extends Pick<Tools, 'resolve'>>(tools: Some): Some => ({
  ...tools,
  resolve: async (actor, toolIds, signal) => {
    if (!toolIds.includes(workflowToolsId)) return tools.resolve(actor, toolIds, signal)
    throw new AppError('tool_not_allowed', {
      detail: 'A run can only start workflows with the node for sub-workflows.',
    })
  },
})
