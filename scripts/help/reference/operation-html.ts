/** One operation of the API reference: what it takes, what it answers, and how to call it. */
import { codeBlock } from '../highlight.ts'
import { escapeHtml, tableHtml } from '../html.ts'
import { curlOf } from './curl.ts'
import type { Call, Description, Media, Operation, Parameter, Response, Schema } from './description.ts'
import { nameOf } from './description.ts'
import { fieldsHtml, rowsHtml, typeHtml } from './fields.ts'
import { blockMarkdown, inlineMarkdown } from './inline.ts'

export const idOf = ({ operationId }: Operation): string => operationId.replace('.', '-')

/** Summaries say much after the first colon or semicolon. */
export const titleOf = ({ summary }: Operation): string => summary.split(/; |: /)[0] ?? summary

const codeOf = (value: unknown): string =>
  typeof value === 'string' ? value.trimEnd() : JSON.stringify(value, null, 2)

const parametersHtml = (given: readonly Parameter[], { components }: Description): string => {
  const all = given.map((one) => (one.$ref ? (components.parameters[nameOf(one.$ref)] ?? one) : one))
  if (all.length === 0) return ''
  const where: Readonly<Record<string, string>> = { path: 'in the path', query: 'in the query', header: 'header' }
  const rows = all.map(({ name, in: place, required = false, description, schema }) => {
    const said = [where[place], description ?? schema.description].filter((part) => part !== undefined).join('; ')
    return { name, schema: { ...schema, description: said }, isRequired: required }
  })
  return `<h3>Parameters</h3>${rowsHtml(rows)}`
}

const schemaHtml = (schema: Schema, description: Description): string => {
  const { components } = description
  const target = schema.$ref ? components.schemas[nameOf(schema.$ref)] : schema
  if (!target) return ''
  if (target.allOf) return target.allOf.map((part) => schemaHtml(part, description)).join('')
  if (target.items) return `<p>A list of</p>${schemaHtml(target.items, description)}`
  return target.properties ? fieldsHtml(target) : `<p>${typeHtml(schema)}</p>`
}

const hasFields = ({ $ref, allOf, properties }: Schema): boolean => [$ref, allOf, properties].some((part) => part)

/** The call above shows the example. */
const bodyHtml = (content: Readonly<Record<string, Media>>, description: Description): string => {
  const parts = Object.entries(content).map(([type, { schema = {} }]) => {
    const fields = hasFields(schema) ? schemaHtml(schema, description) : `<p>${typeHtml(schema)}</p>`
    return `${mediaName(type)}${fields}`
  })
  return `<h3>Body</h3>${parts.join('')}`
}

const mediaName = (type: string): string =>
  type === 'application/json' ? '' : `<p class="media"><code>${escapeHtml(type)}</code></p>`

const replyHtml = (
  [status, { description: said, content = {} }]: [string, Response],
  description: Description,
): string => {
  const several = Object.keys(content).length > 1
  const parts = Object.entries(content)
    .filter(([type]) => type !== '*/*')
    .map(([type, { schema = {}, example }]) => {
      const name = several ? `<p class="media"><code>${escapeHtml(type)}</code></p>` : mediaName(type)
      const language = type === 'application/json' ? 'json' : 'text'
      const shown = example === undefined ? '' : codeBlock(codeOf(example), language)
      const fields = hasFields(schema)
        ? `<details><summary>Fields</summary>${schemaHtml(schema, description)}</details>`
        : ''
      return name + shown + fields
    })
  return `<h3>Reply ${status}</h3><p>${inlineMarkdown(said)}.</p>${parts.join('')}`
}

const refusalsHtml = (responses: readonly [string, Response][], { components }: Description): string => {
  const rows = responses.map(([status, response]) => {
    const { description } = response.$ref ? (components.responses[nameOf(response.$ref)] ?? response) : response
    const said = description.split('\n\n').map((line) => `<li>${inlineMarkdown(line)}</li>`)
    return [status, `<ul>${said.join('')}</ul>`]
  })
  return `<details><summary>Refusals</summary>${tableHtml(['', ''], rows)}</details>`
}

export const operationHtml = (call: Call, description: Description): string => {
  const { method, path, operation } = call
  const id = idOf(operation)
  const title = titleOf(operation)
  const responses = Object.entries(operation.responses)
  const isRefusal = ([status]: [string, Response]) => status >= '400'
  const parts = [
    ...(title === operation.summary ? [] : [`<p>${inlineMarkdown(operation.summary)}.</p>`]),
    blockMarkdown(operation.description),
    codeBlock(curlOf(call), 'sh'),
    parametersHtml(operation.parameters ?? [], description),
    operation.requestBody ? bodyHtml(operation.requestBody.content, description) : '',
    ...responses.filter((one) => !isRefusal(one)).map((one) => replyHtml(one, description)),
    refusalsHtml(responses.filter(isRefusal), description),
  ]
  const address = escapeHtml(path).replace(/\{\w+\}/g, '<var>$&</var>')
  return `<section class="operation">
<h2 id="${id}">${inlineMarkdown(title)}<a class="anchor" href="#${id}" aria-label="Link to ${escapeHtml(title)}">#</a></h2>
<p class="signature"><span class="method ${method}">${method.toUpperCase()}</span> <code>${address}</code></p>
${parts.join('\n')}
</section>`
}
