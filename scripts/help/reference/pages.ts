/** The API reference: a page for each area of `docs/openapi.json`, and one that lists them. */
import { escapeHtml, slugOf } from '../html.ts'
import type { Heading, Section } from '../markdown.ts'
import { type Call, type Description, nameOf } from './description.ts'
import { anchorOf, fieldsHtml } from './fields.ts'
import { blockMarkdown, inlineMarkdown } from './inline.ts'
import { idOf, operationHtml, titleOf } from './operation-html.ts'

export interface ReferencePage {
  path: string
  title: string
  html: string
  headings: Heading[]
  sections: Section[]
}

export const referencePath = (tag: string): string => `api/${slugOf(tag)}.html`

const callsOf = ({ paths }: Description): Call[] =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ method, path, operation })),
  )

/** Operations show their own schemas; those that they refer to stand once, at the end of the page. */
const schemasFor = (calls: readonly Call[], { components }: Description): string[] => {
  const found = new Set<string>()
  const visit = (part: unknown): void => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (found.has(name)) continue
      found.add(name)
      visit(components.schemas[name])
    }
  }
  for (const { operation } of calls)
    visit([operation.parameters ?? [], operation.requestBody ?? {}, operation.responses])
  return [...found].sort()
}

const pageOf = (tag: Description['tags'][number], calls: readonly Call[], description: Description): ReferencePage => {
  const schemas = schemasFor(calls, description).map((name) => {
    const id = anchorOf(name)
    return `<section class="schema"><h3 id="${id}"><code>${escapeHtml(name)}</code></h3>${fieldsHtml(description.components.schemas[name] ?? {})}</section>`
  })
  const list = calls.map(
    ({ method, path, operation }) =>
      `<li><a href="#${idOf(operation)}"><span class="method ${method}">${method.toUpperCase()}</span> <code>${escapeHtml(path)}</code></a> <span class="soft">${inlineMarkdown(operation.summary)}</span></li>`,
  )
  const html = [
    `<h1>${escapeHtml(tag.name)}</h1>`,
    blockMarkdown(tag.description),
    `<ul class="operations">${list.join('')}</ul>`,
    ...calls.map((call) => operationHtml(call, description)),
    ...(schemas.length > 0 ? ['<h2 id="schemas">Schemas</h2>', ...schemas] : []),
  ].join('\n')
  const headings = calls.map(({ operation }) => {
    const text = titleOf(operation).replaceAll('`', '')
    return { level: 2, text, id: idOf(operation) }
  })
  return {
    path: referencePath(tag.name),
    title: tag.name,
    html,
    headings: schemas.length > 0 ? [...headings, { level: 2, text: 'Schemas', id: 'schemas' }] : headings,
    sections: calls.map(({ method, path, operation }, at) => ({
      heading: headings[at],
      also: `${method.toUpperCase()} ${path} ${nameOf(operation.operationId)}`,
      text: `${operation.summary}. ${operation.description}`,
    })),
  }
}

export const referencePages = (description: Description): ReferencePage[] => {
  const byTag = Map.groupBy(callsOf(description), ({ operation }) => operation.tags[0])
  const pages = description.tags.map((tag) => pageOf(tag, byTag.get(tag.name) ?? [], description))
  const rows = description.tags.map(
    ({ name, description: about }) =>
      `<li><a href="${referencePath(name).replace('api/', '')}">${escapeHtml(name)}</a><p>${inlineMarkdown(about)}</p></li>`,
  )
  const text = blockMarkdown(description.info.description)
  const overview: ReferencePage = {
    path: 'api/index.html',
    title: 'Overview',
    html: `<h1>API reference</h1>${text}<p>Programs read the same as OpenAPI 3.1 at <a href="/api/v1/openapi.json">/api/v1/openapi.json</a>.</p><ul class="cards">${rows.join('')}</ul>`,
    headings: [],
    sections: [{ heading: undefined, also: 'openapi swagger rest http', text: description.info.description }],
  }
  return [overview, ...pages]
}
