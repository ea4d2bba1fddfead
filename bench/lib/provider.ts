/**
 * A model provider that costs as little as possible: one model, always the same reply. A stream is twenty chunks (or
 * the second argument), each written in its own turn of the event loop, or every n milliseconds (the first argument).
 * Prints its address.
 */
import { createServer, type ServerResponse } from 'node:http'

const paceMs = Number(process.argv[2] ?? 0)
const chunks = Number(process.argv[3] ?? 20)
const base = { id: 'chatcmpl-bench', created: 1_700_000_000, model: 'bench' }
const usage = { prompt_tokens: 10, completion_tokens: chunks, total_tokens: 10 + chunks }
const said = 'Some words of the reply. '

const models = JSON.stringify({
  object: 'list',
  data: [{ id: 'bench', object: 'model', created: 1, owned_by: 'bench' }],
})
const whole = JSON.stringify({
  ...base,
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: said.repeat(chunks) }, finish_reason: 'stop' }],
  usage,
})

const frame = (choices: unknown[], more: object = {}) =>
  Buffer.from(`data: ${JSON.stringify({ ...base, object: 'chat.completion.chunk', choices, ...more })}\n\n`)
const words = frame([{ index: 0, delta: { content: said }, finish_reason: null }])
const end = [frame([{ index: 0, delta: {}, finish_reason: 'stop' }]), Buffer.from('data: [DONE]\n\n')]
const endWithUsage = [end[0] ?? words, frame([], { usage }), Buffer.from('data: [DONE]\n\n')]

const streamTo = (reply: ServerResponse, last: Buffer): void => {
  let sent = 0
  const next = () => {
    if (reply.destroyed) return
    if (sent === chunks) {
      reply.end(last)
      return
    }
    sent += 1
    reply.write(words)
    if (paceMs > 0) setTimeout(next, paceMs)
    else setImmediate(next)
  }
  reply.writeHead(200, { 'content-type': 'text/event-stream' })
  next()
}

const server = createServer({ keepAliveTimeout: 60_000 }, (request, reply) => {
  const pieces: Buffer[] = []
  request.on('data', (piece: Buffer) => pieces.push(piece))
  request.on('end', () => {
    if (request.url === '/v1/models') {
      reply.writeHead(200, { 'content-type': 'application/json' }).end(models)
      return
    }
    const body = Buffer.concat(pieces)
    if (body.includes('"stream":true'))
      streamTo(reply, Buffer.concat(body.includes('include_usage') ? endWithUsage : end))
    else reply.writeHead(200, { 'content-type': 'application/json', 'content-length': whole.length }).end(whole)
  })
})
server.listen({ port: 0, host: '127.0.0.1', backlog: 2048 }, () => {
  const address = server.address()
  process.stdout.write(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}\n`)
})
