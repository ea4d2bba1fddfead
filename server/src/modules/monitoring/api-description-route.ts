import { readApiDescription } from '@chancery/contract/endpoints/platform.ts'
import { apiDescriptionFor } from '#kernel/http/pages/api-description.ts'
import { type Route, route } from '#kernel/http/route.ts'

export const apiDescriptionRoute = (): Route =>
  route({
    ...readApiDescription,
    access: 'signedIn',
    summary: 'This API as OpenAPI describes it: the operations that the caller may use',
    handle: async ({ actor }) => ({
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: await apiDescriptionFor(actor),
    }),
  })
