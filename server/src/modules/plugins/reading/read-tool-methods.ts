/**
 * The tools of a plugin as its source describes them: the type of a method's first parameter becomes a JSON Schema, and
 * the comment above the method its description. `@param city …` (or `args.city`) describes one argument.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { SyntaxNode, Tree } from '@lezer/common'
import { parser } from '@lezer/javascript'
import { AppError } from '#kernel/errors.ts'
import type { ToolMethod } from './spec.ts'

const typescript = parser.configure({ dialect: 'ts' })

type Schema = Record<string, unknown>

const usualSliceMs = 10
const maxSlices = 1000

/** In slices, between which the server does other work: a source that isn't TypeScript can take many seconds. */
const parseInSlices = async (source: string, sliceMs: number): Promise<Tree> => {
  const parsing = typescript.startParse(source)
  for (let slice = 0; slice < maxSlices; slice++) {
    const end = performance.now() + sliceMs
    do {
      const tree = parsing.advance()
      if (tree) return tree
    } while (performance.now() < end)
    await nextTurn()
  }
  throw new AppError('plugin_invalid', {
    detail: "The plugin can't be read: its source is too large or too deeply nested.",
  })
}

/** In all methods together; what comes after it is "anything". Types that use one another can be endless. */
const maxSchemas = 2000

/** Null for methods that are not public: they are no tools. `sliceMs` is for tests. */
export const readToolMethods = async (
  source: string,
  { sliceMs = usualSliceMs } = {},
): Promise<Map<string, ToolMethod | null>> => {
  const text = (node: SyntaxNode): string => source.slice(node.from, node.to)
  const found = new Map<string, ToolMethod | null>()
  const tree = await parseInSlices(source, sliceMs)
  const reading: Reading = { text, types: namedTypes(tree.topNode, text), schemasLeft: maxSchemas }
  tree.iterate({
    enter: ({ node }) => {
      if (node.name !== 'ClassDeclaration') return
      const name = node.getChild('VariableDefinition')
      if (!name || text(name) !== 'Tools') return
      for (const method of node.getChild('ClassBody')?.getChildren('MethodDeclaration') ?? []) {
        const called = method.getChild('PropertyDefinition')
        const isPublic = method.getChildren('Privacy').every((one) => text(one) === 'public')
        if (called) found.set(text(called), isPublic ? readMethod(method, text(called), reading) : null)
      }
    },
  })
  return found
}

interface Reading {
  text(node: SyntaxNode): string
  /** Types and interfaces of the file, by name. */
  types: ReadonlyMap<string, SyntaxNode>
  schemasLeft: number
}

const namedTypes = (top: SyntaxNode, text: Reading['text']): Map<string, SyntaxNode> => {
  const types = new Map<string, SyntaxNode>()
  const look = (node: SyntaxNode): void => {
    for (let child = node.firstChild; child; child = child.nextSibling) {
      if (child.name === 'ExportDeclaration') look(child)
      const name = child.getChild('TypeDefinition')
      const body = child.getChild('ObjectType')
      if (name && body) types.set(text(name), body)
    }
  }
  look(top)
  return types
}

const readMethod = (method: SyntaxNode, name: string, reading: Reading): ToolMethod => {
  const { description, params } = readComment(commentBefore(method, reading))
  const annotation = method.getChild('ParamList')?.getChild('TypeAnnotation')
  const isFirst = annotation && !hasCommaBefore(method.getChild('ParamList'), annotation)
  const schema = isFirst && annotation.lastChild ? schemaOf(annotation.lastChild, reading) : {}
  const parameters: Schema = schema.type === 'object' ? schema : { type: 'object', properties: {} }
  const properties = parameters.properties as Record<string, Schema>
  for (const [key, words] of params) if (properties[key]) properties[key] = { ...properties[key], description: words }
  return { name, description, parameters }
}

const hasCommaBefore = (list: SyntaxNode | null, before: SyntaxNode): boolean => {
  for (let child = list?.firstChild ?? null; child && child.from < before.from; child = child.nextSibling)
    if (child.name === ',') return true
  return false
}

const commentBefore = (node: SyntaxNode, { text }: Reading): string => {
  const { prevSibling } = node
  return prevSibling?.name === 'BlockComment' ? text(prevSibling) : ''
}

const readComment = (comment: string): { description: string; params: Map<string, string> } => {
  const lines = comment
    .replace(/^\/\*+|\*+\/$/g, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\*?\s?/, '').trim())
  const params = new Map<string, string>()
  const words: string[] = []
  for (const line of lines) {
    const param = /^@param\s+(?:\{[^}]*\}\s*)?(?:\w+\.)?(\w+)\s*[-–:]?\s*(.*)$/.exec(line)
    if (param) params.set(param[1] ?? '', param[2] ?? '')
    else if (!line.startsWith('@')) words.push(line)
  }
  return { description: words.join(' ').trim(), params }
}

const plain = new Map<string, Schema>([
  ['string', { type: 'string' }],
  ['number', { type: 'number' }],
  ['boolean', { type: 'boolean' }],
  ['null', { type: 'null' }],
  ['unknown', {}],
  ['any', {}],
  ['object', { type: 'object' }],
])

/** An unknown type becomes "anything". */
const schemaOf = (node: SyntaxNode, reading: Reading, depth = 0): Schema => {
  if (depth > 8 || reading.schemasLeft <= 0) return {}
  reading.schemasLeft -= 1
  const of = (child: SyntaxNode | null): Schema => (child ? schemaOf(child, reading, depth + 1) : {})
  const { text, types } = reading
  switch (node.name) {
    case 'TypeName': {
      const known = types.get(text(node))
      return known ? of(known) : (plain.get(text(node)) ?? {})
    }
    case 'LiteralType':
    case 'NullType':
      return literalOf(text(node))
    case 'ArrayType':
      return { type: 'array', items: of(node.firstChild) }
    case 'ParenthesizedType':
      return of(node.firstChild?.nextSibling ?? null)
    case 'UnionType':
      return unionOf(alternatives(node).map((one) => of(one)))
    case 'ObjectType':
      return objectOf(node, reading, depth)
    default:
      return plain.get(text(node)) ?? {}
  }
}

const literalOf = (text: string): Schema => {
  const known = plain.get(text)
  if (known) return known
  if (/^['"`]/.test(text)) return { type: 'string', enum: [text.slice(1, -1)] }
  if (/^-?[\d.]+$/.test(text)) return { type: 'number', enum: [Number(text)] }
  return text === 'true' || text === 'false' ? { type: 'boolean', enum: [text === 'true'] } : {}
}

/** A union of unions is one list. */
const alternatives = (node: SyntaxNode): SyntaxNode[] => {
  const found: SyntaxNode[] = []
  for (let child = node.firstChild; child; child = child.nextSibling)
    if (child.name === 'UnionType') found.push(...alternatives(child))
    else if (child.name !== 'LogicOp' && child.name !== '|') found.push(child)
  return found
}

const unionOf = (schemas: Schema[]): Schema => {
  const type = schemas[0]?.type
  const isOneEnum = schemas.every((schema) => schema.type === type && Array.isArray(schema.enum))
  if (isOneEnum) return { type, enum: schemas.flatMap((schema) => schema.enum as unknown[]) }
  return { anyOf: schemas }
}

const objectOf = (node: SyntaxNode, reading: Reading, depth: number): Schema => {
  const properties: Record<string, Schema> = {}
  const required: string[] = []
  for (const property of node.getChildren('PropertyType')) {
    const name = property.getChild('PropertyDefinition')
    const type = property.getChild('TypeAnnotation')?.lastChild
    if (!name) continue
    const key = reading.text(name).replace(/^['"]|['"]$/g, '')
    const description = readComment(commentBefore(property, reading)).description
    properties[key] = {
      ...(type ? schemaOf(type, reading, depth + 1) : {}),
      ...(description && { description }),
    }
    if (!property.getChild('Optional')) required.push(key)
  }
  return { type: 'object', properties, ...(required.length > 0 && { required }) }
}
