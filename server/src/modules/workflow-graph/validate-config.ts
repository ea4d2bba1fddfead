/** Problems in the configuration of one node. Pure. */
import { type GraphNode, nodeConfigs } from '@chancery/contract/workflow-graph.ts'
import type { z } from 'zod'
import { configRules, type Surroundings } from './config-rules.ts'
import { type FieldProblem, pathOf } from './field-problem.ts'

/** The schema first; further checks need a config of the right shape. */
export const validateConfig = (node: GraphNode, around: Surroundings): FieldProblem[] => {
  const parsed = nodeConfigs[node.type].safeParse(node.config)
  if (!parsed.success) return parsed.error.issues.flatMap((issue) => problemsOf(issue, node.config))
  return configRules(node, around)
}

const problemsOf = (issue: z.core.$ZodIssue, config: GraphNode['config']): FieldProblem[] =>
  issue.code === 'unrecognized_keys'
    ? issue.keys.map((key) => ({ field: pathOf([...issue.path, key]), message: "isn't a field of this node" }))
    : [{ field: pathOf(issue.path), message: messageFor(issue, config) }]

/** Common problems in plain words; the schema's messages talk about types. */
const messageFor = (issue: z.core.$ZodIssue, config: GraphNode['config']): string => {
  const value = issue.path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key], config)
  if (value === undefined) return 'is missing'
  return value === '' ? 'must not be empty' : issue.message
}
