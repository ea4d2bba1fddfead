/** The baseline: a bare node:http forwarder to the given address. Prints its own address. */
import { Agent, createServer, request } from 'node:http'

const target = new URL(process.argv[2] ?? '')
const agent = new Agent({ keepAlive: true })

const server = createServer({ keepAliveTimeout: 60_000 }, (incoming, outgoing) => {
  const { host: _host, ...headers } = incoming.headers
  const onward = request(
    { host: target.hostname, port: target.port, method: incoming.method, path: incoming.url, headers, agent },
    (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    },
  )
  onward.on('error', () => outgoing.destroy())
  incoming.pipe(onward)
})
server.listen({ port: 0, host: '127.0.0.1', backlog: 2048 }, () => {
  const address = server.address()
  process.stdout.write(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}\n`)
})
