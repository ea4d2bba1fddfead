/** Checks that several kinds of nodes share: of expressions, placeholders, schemas. Pure. */
import { compileExpression, ExpressionSyntaxError, type Name } from '@chancery/expression'
import { findSchemaProblem } from '#kernel/json/json-schema.ts'
import { type FieldProblem, pathOf } from '../fields/field-problem.ts'
import { findSyntaxError } from '../fields/javascript.ts'
import { parseTemplate, TemplateError } from '../fields/template.ts'
import { type Surroundings, stateNames } from './kind.ts'

type Problems = FieldProblem[]

export const problem = (path: readonly PropertyKey[], message: string): FieldProblem => ({
  field: pathOf(path),
  message,
})

/** Expressions that are known to be valid: a graph is validated with each change, and parsing is most of its cost. */
const valid = new Set<string>()
const maxValid = 2000

type Expected = Pick<Surroundings, 'mistakes' | 'names'> & { known?: readonly Name[] }

export const expression = (
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

export const javaScript = (path: readonly PropertyKey[], text: string, { parsing }: Surroundings): Problems => {
  const line = findSyntaxError(text, parsing)
  return line === undefined ? [] : [problem(path, `isn't valid JavaScript (line ${line})`)]
}

/** Including templates nested inside a value. */
export const templates = (
  path: readonly PropertyKey[],
  value: unknown,
  { names }: Pick<Surroundings, 'names'>,
): Problems => {
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

export const schema = (path: readonly PropertyKey[], value: Record<string, unknown> | undefined): Problems => {
  const message = value && findSchemaProblem(value)
  return message === undefined ? [] : [problem(path, message)]
}

export const otherWorkflow = (called: string, { workflowId }: Surroundings): Problems =>
  called === workflowId ? [problem(['workflow_id'], 'must be a different workflow')] : []
