/** The baseline for webhooks: a `node:http` hello in a separate process. Prints its address. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const hello = JSON.stringify({ hello: 'world' })
const server = createServer((request, response) => {
  request.resume()
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': hello.length })
  response.end(hello)
})
server.listen(0, '127.0.0.1', () =>
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`),
)
