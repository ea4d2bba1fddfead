/** OpenAPI descriptions as tools, and their calls as requests. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readOperations } from './openapi-operations.ts'
import { prepareRequest } from './openapi-request.ts'

const base = 'https://api.example.com/v1'
const describeOne = (operation: object, path = '/things', more: object = {}) =>
  readOperations(
    { paths: { [path]: { post: { operationId: 'op', ...operation } } }, ...more },
    new Set(['x-tenant']),
  )[0]
const operationOf = (operation: object, path?: string, more?: object) => {
  const read = describeOne(operation, path, more)
  if (!read) throw new Error('there is no such operation')
  return read
}
const call = (operation: object, args: Record<string, unknown>, path?: string) =>
  prepareRequest(base, operationOf(operation, path), { args, boundary: 'edge' })
const bodyIn = (type: string, schema: object) => ({ requestBody: { required: true, content: { [type]: { schema } } } })
const text = { type: 'string' }

describe('a body', () => {
  const parts = {
    components: {
      schemas: {
        Named: { type: 'object', properties: { name: text }, required: ['name'] },
        Priced: { allOf: [{ $ref: '#/components/schemas/Named' }, { properties: { price: { type: 'number' } } }] },
      },
    },
  }

  it('made of allOf has the fields of all its parts', () => {
    const schema = { allOf: [{ $ref: '#/components/schemas/Priced' }], properties: { size: text }, required: ['size'] }
    expect(operationOf(bodyIn('application/json', schema), '/things', parts).parameters).toEqual({
      type: 'object',
      properties: { name: text, price: { type: 'number' }, size: text },
      required: ['name', 'size'],
    })
  })

  it.each([
    ['a list', { type: 'array', items: text }, ['a', 'b']],
    ['one of several', { oneOf: [{ properties: { a: text } }, text] }, { a: 'b' }],
    ['a text', text, 'words'],
    ['an object of any fields', { type: 'object', additionalProperties: text }, { a: 'b' }],
  ])('that is %s is one argument, sent as it is', (_what, schema, value) => {
    const operation = bodyIn('application/vnd.api+json', schema)
    expect(operationOf(operation).parameters).toMatchObject({ properties: { body: schema }, required: ['body'] })
    expect(call(operation, { body: value }).body).toEqual({
      contentType: 'application/json',
      text: JSON.stringify(value),
    })
  })

  it('with a field that is called like a parameter keeps both apart', () => {
    const operation = {
      parameters: [{ name: 'id', in: 'path', schema: text }],
      ...bodyIn('application/json', { properties: { id: text } }),
    }
    const request = call(operation, { id: 'here', body: { id: 'there' } }, '/things/{id}')
    expect([request.url, request.body?.text]).toEqual([`${base}/things/here`, '{"id":"there"}'])
  })

  it('that is a form is sent as a form, lists as repeated fields', () => {
    const schema = { type: 'object', properties: { name: text, tags: { type: 'array', items: text }, more: {} } }
    const args = { name: 'a&b="c"', tags: ['x', 'y'], more: { deep: 1 }, nothing: null }
    expect(call(bodyIn('application/x-www-form-urlencoded', schema), args).body).toEqual({
      contentType: 'application/x-www-form-urlencoded',
      text: 'name=a%26b%3D%22c%22&tags=x&tags=y&more=%7B%22deep%22%3A1%7D',
    })
    const sent = call(bodyIn('multipart/form-data', schema), { 'na"\r\nme': 'a', tags: ['x', 'y'] }).body
    expect(sent?.contentType).toBe('multipart/form-data; boundary=edge')
    expect(sent?.text).toBe(
      `${['na%22%0D%0Ame', 'tags', 'tags']
        .map((name, n) => `--edge\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${'axy'[n]}\r\n`)
        .join('')}--edge--\r\n`,
    )
  })
})

describe('a header', () => {
  const header = (name: string, more = {}) => ({ name, in: 'header', required: true, schema: text, ...more })

  it('that an operation needs is an argument, on one line whatever is in it', () => {
    const operation = { parameters: [header('X-Version')] }
    expect(operationOf(operation).parameters).toEqual({
      type: 'object',
      properties: { 'X-Version': text },
      required: ['X-Version'],
    })
    expect(call(operation, { 'X-Version': '2\r\nx-evil: 1' }).headers).toEqual({ 'x-version': '2%0D%0Ax-evil: 1' })
  })

  it.each(['Authorization', 'Cookie', 'Host', 'Content-Length', 'X-Forwarded-For', 'X-Tenant', 'bad name', ''])(
    'is not the model’s to choose: %s',
    (name) =>
      expect(operationOf({ parameters: [header(name)] }).parameters).toEqual({ type: 'object', properties: {} }),
  )
})

describe('the address', () => {
  const plain = 'https://api.example.com'
  const addressOf = (path: string, root = plain) =>
    prepareRequest(root, operationOf({}, path), { args: {}, boundary: '' }).url

  it.each([
    ['.evil.test/x', `${plain}/.evil.test/x`],
    ['@evil.test/x', `${plain}/@evil.test/x`],
    [':8443/x', `${plain}/:8443/x`],
    ['//evil.test/x', `${plain}/evil.test/x`],
    ['\\\\evil.test/x', `${plain}/evil.test/x`],
    ['https://evil.test/x', `${plain}/https://evil.test/x`],
    ['/x#y', `${plain}/x%23y`],
    ['/x?fixed=1', `${plain}/x?fixed=1`],
  ])('of the path %s stays on its server', (path, url) => expect(addressOf(path)).toBe(url))

  it.each(['/../admin', '/%2e%2e/admin', '/x/../../admin', '/..\\admin'])(
    'is refused where %s leaves the base',
    (path) => {
      expect(() => addressOf(path, base)).toThrow('outside')
    },
  )

  it('has the origin and the base of its server for any path and any argument', () => {
    const parameters = [{ name: 'id', in: 'path', schema: text }]
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (path, id) => {
        const operation = operationOf({ parameters }, `${path}{id}`)
        let url: URL
        try {
          url = new URL(prepareRequest(base, operation, { args: { id }, boundary: '' }).url)
        } catch {
          return
        }
        expect([url.origin, url.pathname.startsWith('/v1/')]).toEqual(['https://api.example.com', true])
      }),
    )
  })
})

it('one operation without measure costs only itself', () => {
  const wide = { properties: Object.fromEntries(Array.from({ length: 30_000 }, (_, n) => [`p${n}`, text])) }
  const read = readOperations({
    paths: {
      '/wide': { post: { operationId: 'wide', ...bodyIn('application/json', wide) } },
      '/small': { post: { operationId: 'small', ...bodyIn('application/json', { properties: { a: text } }) } },
      '/again': { get: { operationId: 'small' } },
    },
  })
  expect(read.map(({ name, method }) => [name, method])).toEqual([
    ['wide', 'POST'],
    ['small', 'POST'],
  ])
  expect(read[1]?.parameters).toEqual({ type: 'object', properties: { a: text } })
})
