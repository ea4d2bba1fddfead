/** OpenAPI descriptions that cost more than they are worth. They are read on a thread, whatever is in them. */
import { expect, it, onTestFinished } from 'vitest'
import { testApp } from '#test/harness/app.ts'
import { startSite } from '#test/peers/site.ts'

const app = await testApp()
const owner = await app.platformOwner()

const verify = async (description: string) => {
  const site = await startSite((_request, response) => response.end(description))
  onTestFinished(() => site.close())
  return (await owner.post('/api/v1/configs/tool_servers/verify', { id: 'shop', type: 'openapi', url: site.origin }))
    .body
}
const json = { 'application/json': {} }
const body = (properties: object) => ({ content: { ...json, 'application/json': { schema: { properties } } } })
const wide = (count: number) =>
  body(Object.fromEntries(Array.from({ length: count }, (_, n) => [`p${n}`, { type: 'string' }])))
const described = (paths: object) => JSON.stringify({ openapi: '3.1.0', paths })

it('may be full of what is no operation, and of more than the event loop reads', async () => {
  const found = await verify(`{"paths":{"/a":{"get":{"operationId":"a"}}},"more":[${'[],'.repeat(1_000_000)}0]}`)
  expect(found).toMatchObject({ reachable: true, tools: [{ name: 'shop_a' }] })
})

it('loses the tools that are larger than a model is offered, and those after too much', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 100 }, (_, n) => [`/${n}`, { post: { operationId: `op${n}`, requestBody: wide(700) } }]),
  )
  const found = await verify(
    described({ '/huge': { post: { operationId: 'huge', requestBody: wide(9000) } }, ...many }),
  )
  const names = found.tools.map(({ name }: { name: string }) => name)
  expect(names).toContain('shop_op0')
  expect(names).not.toContain('shop_huge')
  expect(names.length).toBeLessThan(60)
})

it('is told off when it is no JSON', async () => {
  expect(await verify('<html>')).toMatchObject({ reachable: false, problem: expect.stringContaining('valid JSON') })
})
