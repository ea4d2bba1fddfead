/** A workflow as a file for export. It contains no secrets. */

import type { WorkflowFile } from '@chancery/contract/workflows/workflows.ts'
import type { z } from 'zod'
import { stripSecrets } from '#modules/workflow-graph/index.ts'
import type { WorkflowRow } from '../queries/workflows.ts'

export const workflowFile = ({ name, description, graph }: WorkflowRow): z.output<typeof WorkflowFile> => ({
  format: 'chancery-workflow',
  version: 1,
  name,
  description,
  graph: { ...graph, nodes: graph.nodes.map(stripSecrets) },
})
