/** The interactive page at /docs, in development only: production has `/api/v1/openapi.json` and `/help`. */
import type { FastifyInstance } from 'fastify'
import { readApiDescription } from './api-description.ts'

const relaxedPolicy =
  "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:"

export const serveDocsPage = async (server: FastifyInstance): Promise<void> => {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const content = { ...(await readApiDescription()) }
  server.addHook('onRequest', async (request, reply) => {
    if (/^\/docs(\/|\?|$)/.test(request.url)) reply.header('content-security-policy', relaxedPolicy)
  })
  await server.register(scalar, {
    routePrefix: '/docs',
    configuration: { title: 'Chancery API', withDefaultFonts: false, content },
  })
}
