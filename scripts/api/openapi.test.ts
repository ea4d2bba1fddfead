import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { sharedApp } from '../../server/test/harness/shared-app.ts'
import { pageOf } from './api-page.ts'
import { keyOf } from './contract-names.ts'
import { examples } from './examples/index.ts'

const app = await sharedApp()

it('docs/openapi.json is what `npm run docs` would write now', async () => {
  const written = readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8')
  // Not compared as one text: the difference of two such long ones takes minutes to show.
  const [now, then] = [(await pageOf(app.routes)).split('\n'), written.split('\n')]
  const at = now.findIndex((line, index) => line !== then[index])
  expect({ at, line: then[at] }).toEqual({ at, line: now[at] })
  expect(then).toHaveLength(now.length)
})

describe('every example fits the schemas that validate', () => {
  it.each([...examples])('%s', (name, { query, body, reply }) => {
    const route = app.routes.find((one) => keyOf(one) === name)
    const problemOf = (schema: unknown, value: unknown) => {
      if (value === undefined) return undefined
      if (!(schema instanceof z.ZodType)) return 'the route has no such schema'
      return schema.safeParse(value).error?.message
    }
    expect(
      route && [problemOf(route.query, query), problemOf(route.body, body), problemOf(route.reply, reply)],
    ).toEqual([undefined, undefined, undefined])
  })
})
