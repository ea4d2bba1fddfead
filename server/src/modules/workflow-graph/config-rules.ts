/** Checks of a node's configuration beyond its schema: expressions, templates, fields that exclude each other. Pure. */
import type { GraphNode, NodeType, nodeConfigs } from '@chancery/contract/workflow-graph.ts'
import { compileExpression, ExpressionSyntaxError, type Name } from '@chancery/expression'
import type { z } from 'zod'
import { isOwnedByConnection } from '#kernel/outbound/request-headers.ts'
import { type FieldProblem, pathOf } from './field-problem.ts'
import { findSyntaxError, type ParsingTime } from './javascript.ts'
import { findSchemaProblem } from './output-schema.ts'
import { parseTemplate, TemplateError } from './template.ts'

/** The things that a node's configuration may refer to. */
export interface Surroundings {
  /** The graph's workflow, once it has one. */
  workflowId: string | undefined
  /** The names that a template's path may start with: the graph's nodes and the run's own. */
  names: ReadonlySet<string>
  parsing: ParsingTime
  /** For expressions that turn out to be wrong. */
  mistakes: ParsingTime
}

/** The names that every run has besides the results of its nodes. */
export const runNames = ['payload', 'event', 'input', 'state', '_event'] as const

/** The names that a node's expressions can use. */
export const stateNames: readonly Name[] = [
  'state',
  'input',
  'event',
  { name: 'payload', of: 'event', field: 'payload' },
  { name: '_event', of: 'event', isOld: true },
]
/** The names that a loop's condition can use. */
const loopNames: readonly Name[] = [...stateNames, 'output', 'iteration']
/** The names that a wait's filter can use: the event that arrived, and the run as it was when the wait began. */
export const waitNames: readonly Name[] = [
  'event',
  'input',
  'state',
  { name: 'payload', of: 'event', field: 'payload' },
]

type Config<Type extends NodeType> = z.output<(typeof nodeConfigs)[Type]>
type Problems = FieldProblem[]

/** The node's config has passed its schema. */
export const configRules = (node: GraphNode, around: Surroundings): Problems => {
  const check = rules[node.type] as ((config: unknown, around: Surroundings) => Problems) | undefined
  return check?.(node.config, around) ?? []
}

const problem = (path: readonly PropertyKey[], message: string): FieldProblem => ({ field: pathOf(path), message })

/** Expressions that are known to be valid: a graph is validated with each change, and parsing is most of its cost. */
const valid = new Set<string>()
const maxValid = 2000

type Expected = Pick<Surroundings, 'mistakes' | 'names'> & { known?: readonly Name[] }

const expression = (
  path: readonly PropertyKey[],
  text: string | undefined,
  { mistakes, names, known = stateNames }: Expected,
): Problems => {
  const key = `${JSON.stringify(known)} ${text}`
  if (text === undefined || valid.has(key)) return []
  if (mistakes.leftMs <= 0) return [problem(path, 'was not checked: correct the other expressions first')]
  const began = performance.now()
  try {
    compileExpression(text, known)
    if (valid.size >= maxValid) valid.clear()
    valid.add(key)
    return []
  } catch (error) {
    if (!(error instanceof ExpressionSyntaxError)) throw error
    mistakes.leftMs -= performance.now() - began
    return [problem(path, `${explain(error, names, known)} (line ${error.line}, column ${error.column})`)]
  }
}

/** In templates a node's result is found by the node's ID, in expressions only through the state. */
const explain = (
  { message, unknownName }: ExpressionSyntaxError,
  nodeIds: ReadonlySet<string>,
  known: readonly Name[],
): string =>
  unknownName !== undefined && nodeIds.has(unknownName) && known.includes('state')
    ? `"${unknownName}" isn't known here. Use state["${unknownName}"].`
    : message

const javaScript = (path: readonly PropertyKey[], text: string, { parsing }: Surroundings): Problems => {
  const line = findSyntaxError(text, parsing)
  return line === undefined ? [] : [problem(path, `isn't valid JavaScript (line ${line})`)]
}

/** Including templates nested inside a value. */
const templates = (path: readonly PropertyKey[], value: unknown, { names }: Pick<Surroundings, 'names'>): Problems => {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, one]) =>
      templates([...path, Array.isArray(value) ? Number(key) : key], one, { names }),
    )
  if (typeof value !== 'string') return []
  try {
    const unknown = parseTemplate(value).flatMap((part) =>
      typeof part === 'string' || names.has(String(part.path[0])) ? [] : [String(part.path[0])],
    )
    return [...new Set(unknown)].map((name) =>
      problem(path, `"${name}" isn't known here. Use payload, event, input, state or the ID of a node.`),
    )
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    return [problem(path, error.message)]
  }
}

const schema = (path: readonly PropertyKey[], value: Record<string, unknown> | undefined): Problems => {
  const message = value && findSchemaProblem(value)
  return message === undefined ? [] : [problem(path, message)]
}

const otherWorkflow = (called: string, { workflowId }: Surroundings): Problems =>
  called === workflowId ? [problem(['workflow_id'], 'must be a different workflow')] : []

const address = (url: string): Problems => {
  if (!/^(https?:\/\/|\{\{)/i.test(url)) return [problem(['url'], 'must start with http:// or https://')]
  if (/^https?:\/\/[^/?#\\]*@/i.test(url))
    return [problem(['url'], 'must not contain a password; use authorization, which is stored encrypted')]
  return []
}

const sentHeaders = (headers: Record<string, string> = {}): Problems =>
  Object.keys(headers)
    .filter(isOwnedByConnection)
    .map((name) => problem(['headers', name], 'is set by the connection and never sent'))

const cases = ({ cases: list = [] }: Config<'condition'>, around: Surroundings): Problems => {
  const reserved = new Set(['else', 'error'])
  return list.flatMap(({ handle, expression: text }, index) => {
    const found = expression(['cases', index, 'expression'], text, around)
    if (reserved.has(handle)) found.push(problem(['cases', index, 'handle'], `must not be "${handle}"`))
    if (list.findIndex((one) => one.handle === handle) < index)
      found.push(problem(['cases', index, 'handle'], 'must be different from the other cases'))
    return found
  })
}

const rules: { [Type in NodeType]?: (config: Config<Type>, around: Surroundings) => Problems } = {
  agent: ({ system_prompt, prompt, output_schema }, around) => [
    ...schema(['output_schema'], output_schema),
    ...templates(['system_prompt'], system_prompt, around),
    ...templates(['prompt'], prompt, around),
  ],
  tool: (config, around) => templates(['arguments'], config.arguments, around),
  condition: (config, around) =>
    (config.expression === undefined) === (config.cases === undefined || config.cases.length === 0)
      ? [problem(['expression'], 'needs either an expression or cases, not both')]
      : [...expression(['expression'], config.expression, around), ...cases(config, around)],
  transform: ({ fields }, around) =>
    Object.entries(fields).flatMap(([name, text]) => expression(['fields', name], text, around)),
  http_request: ({ url, headers, body, authorization, credential_id }, around) => [
    ...address(url),
    ...(authorization && credential_id !== undefined
      ? [problem(['credential_id'], 'excludes authorization: use one of the two')]
      : []),
    ...templates(['url'], url, around),
    ...sentHeaders(headers),
    ...templates(['headers'], headers, around),
    ...templates(['body'], body, around),
  ],
  emit_event: ({ payload, correlation_id }, around) => [
    ...templates(['payload'], payload, around),
    ...templates(['correlation_id'], correlation_id, around),
  ],
  wait: ({ seconds, until, event_type, filter_expr, deadline_sec }, around) => [
    ...([seconds, until, event_type].filter((one) => one !== undefined).length === 1
      ? []
      : [problem(['seconds'], 'needs exactly one of seconds, until and event_type')]),
    ...(event_type === undefined && filter_expr !== undefined
      ? [problem(['filter_expr'], 'needs an event_type')]
      : expression(['filter_expr'], filter_expr, { ...around, known: waitNames })),
    ...(event_type === undefined && deadline_sec !== undefined
      ? [problem(['deadline_sec'], 'needs an event_type')]
      : []),
    ...templates(['until'], until, around),
  ],
  approval: ({ title, message }, around) => [
    ...templates(['title'], title, around),
    ...templates(['message'], message, around),
  ],
  for_each: ({ items, workflow_id }, around) => [
    ...expression(['items'], items, around),
    ...otherWorkflow(workflow_id, around),
  ],
  subworkflow: ({ workflow_id, input }, around) => [
    ...templates(['input'], input, around),
    ...otherWorkflow(workflow_id, around),
  ],
  signature: ({ title, recipients, values, folder }, around) => [
    ...templates(['title'], title, around),
    ...templates(['recipients'], recipients, around),
    ...templates(['values'], values, around),
    ...templates(['folder'], folder, around),
  ],
  loop: ({ workflow_id, input, stop_when }, around) => [
    ...templates(['input'], input, around),
    ...expression(['stop_when'], stop_when, { ...around, known: loopNames }),
    ...otherWorkflow(workflow_id, around),
  ],
  code: ({ language, code }, around) =>
    language === 'expression' ? expression(['code'], code, around) : javaScript(['code'], code, around),
}
