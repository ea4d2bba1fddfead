/** Problems in the configuration of one node. Pure. */
import { type GraphNode, nodeConfigs } from '@chancery/contract/workflows/graph.ts'
import type { z } from 'zod'
import { type FieldProblem, pathOf } from './fields/field-problem.ts'
import { templates } from './kinds/checks.ts'
import { kindOf } from './kinds/index.ts'
import type { Surroundings } from './kinds/kind.ts'

/** The schema first; further checks need a config of the right shape. */
export const validateConfig = (node: GraphNode, around: Surroundings): FieldProblem[] => {
  const parsed = nodeConfigs[node.type].safeParse(node.config)
  if (!parsed.success) return parsed.error.issues.flatMap((issue) => problemsOf(issue, node.config))
  const { check, texts } = kindOf(node.type)
  const config = node.config as never
  return [
    ...(check?.(config, around) ?? []),
    ...texts.flatMap((field) => templates([field], node.config[field], around)),
  ]
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
