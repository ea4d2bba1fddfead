/** Checks that signature nodes name somebody for every role of their template, and only fields that it has. Pure. */
import type { Graph, GraphNode, GraphProblem } from '@chancery/contract/workflows/graph.ts'
import { isJsonObject } from '#kernel/json/is-json-object.ts'
import type { TemplateNames } from '#modules/runs/index.ts'

export const templateProblems = ({ nodes }: Graph, templates: ReadonlyMap<string, TemplateNames>): GraphProblem[] =>
  nodes.flatMap((node) => {
    const template = node.type === 'signature' ? templates.get(String(node.config.template_id)) : undefined
    return template ? problemsOf(node, template) : []
  })

const plain = (name: unknown): string => String(name).trim().toLowerCase()

/** A draft's config may be of any shape; the schema reports that. */
const problemsOf = ({ id, config }: GraphNode, { roles, labels }: TemplateNames): GraphProblem[] => {
  const problem = (field: string, message: string) => ({ node_id: id, edge_id: null, field, message })
  const given = Array.isArray(config.recipients) ? config.recipients.map((one) => isJsonObject(one) && one.role) : []
  const values = isJsonObject(config.values) ? Object.keys(config.values) : []
  const isOneOf = (names: readonly unknown[], name: unknown) => names.some((one) => plain(one) === plain(name))
  return [
    ...roles
      .filter((role) => !isOneOf(given, role))
      .map((role) => problem('config.recipients', `Name someone for the role "${role}".`)),
    ...given.flatMap((role, index) =>
      role === false || isOneOf(roles, role)
        ? []
        : [problem(`config.recipients[${index}].role`, `The template has no role "${role}".`)],
    ),
    ...values
      .filter((label) => !isOneOf(labels, label))
      .map((label) => problem('config.values', `The template has no field with the label "${label}".`)),
  ]
}
