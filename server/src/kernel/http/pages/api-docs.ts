/** The OpenAPI document from the same schemas that validate, and the interactive page at /docs in development. */
import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'

const relaxedPolicy =
  "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:"

export const collectOpenApi = async (server: FastifyInstance): Promise<void> => {
  await server.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Chancery', version: '1.0.0', description: 'Documents, chat, agent workflows, one login.' },
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
      security: [{ bearer: [] }],
    },
    transform: jsonSchemaTransform,
  })
}

export const serveDocsPage = async (server: FastifyInstance): Promise<void> => {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  server.addHook('onRequest', async (request, reply) => {
    if (/^\/docs(\/|\?|$)/.test(request.url)) reply.header('content-security-policy', relaxedPolicy)
  })
  await server.register(scalar, {
    routePrefix: '/docs',
    configuration: { title: 'Chancery API', withDefaultFonts: false, content: () => server.swagger() },
  })
}
