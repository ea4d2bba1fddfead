/** The baseline: a Fastify hello in a separate process. Prints its address. */
import { fastify } from 'fastify'

const server = fastify()
server.get('/hello', async () => ({ hello: 'world' }))
process.stdout.write(`${await server.listen({ port: 0, host: '127.0.0.1' })}\n`)
