/** How an operation is called from a terminal, with its example. */
import type { Call } from './description.ts'

/** Its path with the example's ids, and the fields of the query that the example has. */
const addressOf = ({ path, operation: { parameters = [] } }: Call): string => {
  const given = parameters.filter(({ example }) => example !== undefined)
  const inPath = given.filter((one) => one.in === 'path')
  const filled = inPath.reduce((text, { name, example }) => text.replace(`{${name}}`, String(example)), path)
  const query = given.filter((one) => one.in === 'query').map(({ name, example }) => `${name}=${String(example)}`)
  return `https://chancery.example.com${filled}${query.length > 0 ? `?${query.join('&')}` : ''}`
}

export const curlOf = (call: Call): string => {
  const { method, operation } = call
  const [type, media] = Object.entries(operation.requestBody?.content ?? {})[0] ?? []
  const address = addressOf(call)
  const lines = [
    `curl${method === 'get' ? '' : ` -X ${method.toUpperCase()}`} ${address.includes('&') ? `'${address}'` : address}`,
  ]
  if (operation.security.length > 0) lines.push('-H "Authorization: Bearer $CHANCERY_KEY"')
  if (type === 'multipart/form-data') lines.push('-F file=@file.pdf')
  else if (media?.example !== undefined) {
    lines.push(`-H 'Content-Type: ${type}'`)
    lines.push(`-d '${JSON.stringify(media.example, null, 2).replaceAll("'", "'\\''")}'`)
  }
  return lines.join(' \\\n  ')
}
